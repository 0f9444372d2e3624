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
 * (`undefined`). Or it does not respond at all, says that the response is too long for UDP, or sends the bytes that a
 * function makes from the query.
 */
export type NameResponse = readonly string[] | undefined | 'silent' | 'truncated' | ((query: Buffer) => Buffer);

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;
const TRUNCATED = 0x0200;

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

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.').toLowerCase();
}

/** Returns a response that repeats the question, with the addresses of the type that the question asks for. */
export function responseTo(query: Buffer, answered: readonly string[] | undefined | 'truncated'): Buffer {
  const type = query.readUInt16BE(query.length - 4);
  const addresses = answered === 'truncated' ? [] : (answered ?? []);
  const records = addresses.filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA)).map(recordOf);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(
    0x8180 | (answered === undefined ? NAME_ERROR : 0) | (answered === 'truncated' ? TRUNCATED : 0),
    2,
  );
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12), ...records]);
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
