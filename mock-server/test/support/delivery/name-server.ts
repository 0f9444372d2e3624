import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv4, type Socket } from 'node:net';

/** A name server on loopback that does what the test says. */
export interface NameServer extends AsyncDisposable {
  /** Address and port. */
  address: string;
  /** Names it was asked for, once for each question. */
  asked: string[];
  /** Connections over which it was asked again, after a truncated answer. */
  connections: Set<Socket>;
}

/**
 * How a name server handles a question: it responds with the addresses of the name, or that there is no such name
 * (`undefined`). Or it does not respond at all, or says that the response is too long for UDP and is silent over TCP.
 */
export type NameResponse = readonly string[] | undefined | 'silent' | 'silent over TCP';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;
const TRUNCATED = 0x0200;

/** Starts a name server, over UDP and TCP. */
export async function startNameServer(answer: (name: string) => NameResponse): Promise<NameServer> {
  const asked: string[] = [];
  const connections = new Set<Socket>();
  const tcp = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => {}).on('close', () => connections.delete(connection));
    connection.resume();
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as { port: number };

  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    const answered = answer(name);
    if (answered === 'silent') return;
    const type = query.readUInt16BE(at + 1);
    const addresses = typeof answered === 'string' ? [] : (answered ?? []);
    const records = addresses.filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA)).map(recordOf);
    const head = Buffer.from(query.subarray(0, 12));
    const flags = (answered === undefined ? NAME_ERROR : 0) | (answered === 'silent over TCP' ? TRUNCATED : 0);
    head.writeUInt16BE(0x8180 | flags, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    udp.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');

  return {
    address: `127.0.0.1:${port}`,
    asked,
    connections,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))]);
    },
  };
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
