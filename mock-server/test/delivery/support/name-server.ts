import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on loopback that answers over UDP as it is told. */
export interface NameServer extends AsyncDisposable {
  /** Address and port. */
  address: string;
  /** Names it was asked for, once for each question. */
  asked: string[];
}

const TYPE_A = 1;
const NAME_ERROR = 3;

/** Starts a name server; `answer` gives a name's IPv4 addresses, `undefined` where the name does not exist, and `'silent'`. */
export async function startNameServer(
  answer: (name: string) => readonly string[] | 'silent' | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    const addresses = answer(name);
    if (addresses === 'silent') return;
    const records = query.readUInt16BE(at + 1) === TYPE_A ? (addresses ?? []) : [];
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (addresses ? 0 : NAME_ERROR), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records.map(recordOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((done) => socket.close(done));
    },
  };
}

/** An A record of the name that was asked for. */
const recordOf = (address: string) =>
  Buffer.concat([Buffer.from('c00c000100010000003c0004', 'hex'), Buffer.from(address.split('.').map(Number))]);
