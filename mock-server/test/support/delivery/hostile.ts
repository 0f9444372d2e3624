import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A receiver that speaks bytes instead of HTTP. */
export interface RawReceiver extends AsyncDisposable {
  url: string;
  /** Connections opened so far. */
  connections: number;
  /** Requests received so far, over all connections. */
  requests: number;
  /** Connections that are open now. */
  open: Set<Socket>;
}

/**
 * Starts a receiver on loopback that runs `behave` for each request. A request counts as complete when its head has
 * arrived, because the requests of this project fit into one segment.
 */
export async function startRawReceiver(
  behave: (socket: Socket, counts: { connection: number; request: number }) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawReceiver> {
  const server = createServer((socket) => {
    receiver.connections++;
    const connection = receiver.connections;
    receiver.open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => receiver.open.delete(socket));
    onConnection(socket);
    let request = 0;
    socket.on('data', (chunk) => {
      if (!/^(GET|POST) /.test(chunk.toString('latin1'))) return;
      receiver.requests++;
      request++;
      behave(socket, { connection, request });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: RawReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: 0,
    requests: 0,
    open: new Set(),
    async [Symbol.asyncDispose]() {
      for (const socket of receiver.open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}

/** Writes again and again until the connection is gone. */
export function repeat(socket: Socket, intervalMs: number, text: () => string | Buffer): void {
  const timer = setInterval(() => socket.write(text()), intervalMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other side reads, until the connection is gone. */
export function flood(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}
