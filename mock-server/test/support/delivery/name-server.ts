import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** A name server on loopback that does what the test says. */
export interface NameServer extends AsyncDisposable {
  /** Address and port. */
  address: string;
  /** Names it was asked for, once for each question. */
  asked: string[];
}

/**
 * How a name server handles a question: it responds with the addresses of the name, or that there is no such name
 * (`undefined`). Or it does not respond at all, or sends the bytes that a function makes from the query.
 */
export type NameResponse = readonly string[] | undefined | 'silent' | ((query: Buffer) => Buffer);

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;

/** Starts a name server over UDP. */
export async function startNameServer(answer: (name: string) => NameResponse): Promise<NameServer> {
  const asked: string[] = [];
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const name = nameIn(query);
    asked.push(name);
    const answered = answer(name);
    if (answered === 'silent') return;
    const response = typeof answered === 'function' ? answered(query) : responseTo(query, answered);
    udp.send(response, from.port, from.address);
  });
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');

  return {
    address: `127.0.0.1:${udp.address().port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => udp.close(done)),
  };
}

function labelsIn(query: Buffer): string[] {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels;
}

const nameIn = (query: Buffer): string => labelsIn(query).join('.').toLowerCase();

/** The query without its other records. */
function questionIn(query: Buffer): Buffer {
  const nameBytes = labelsIn(query).reduce((sum, label) => sum + 1 + label.length, 1);
  return query.subarray(0, 12 + nameBytes + 4);
}

/** Returns a response that repeats the question, with the addresses of the type that the question asks for. */
export function responseTo(query: Buffer, answered: readonly string[] | undefined): Buffer {
  const question = questionIn(query);
  const type = question.readUInt16BE(question.length - 4);
  const records = (answered ?? []).filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA)).map(recordOf);
  const response = Buffer.concat([question, ...records]);
  response.writeUInt16BE(0x8180 | (answered === undefined ? NAME_ERROR : 0), 2);
  response.writeUInt16BE(records.length, 6);
  response.writeUInt16BE(0, 10);
  return response;
}

/** A record, valid for 60 s, of the name that was asked for. */
function recordOf(address: string): Buffer {
  const [type, bytes] = isIPv4(address)
    ? ['0001', Buffer.from(address.split('.').map(Number))]
    : ['001c', bytesOfIPv6(address)];
  const length = bytes.length.toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(`c00c${type}00010000003c${length}`, 'hex'), bytes]);
}

function bytesOfIPv6(address: string): Buffer {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((word) => word !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const words = [...before, ...zeros, ...after];
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
