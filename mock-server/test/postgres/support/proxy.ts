import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy in front of a database, which tests can cut off. */
export interface Proxy extends AsyncDisposable {
  url: string;
  /** Closes every connection and accepts no new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Leads new connections to another database. */
  pointTo(databaseUrl: string): void;
  /** Stops all data on the existing connections, but leaves them open, like a network partition. */
  silence(): void;
  /** Replaces a text with another one of the same length, the next time it is sent to the database. */
  spoil(text: string, spoilt: string): void;
}

/** Starts a proxy in front of a database. */
export async function startProxy(databaseUrl: string): Promise<Proxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server;
  let spoiling: { text: string; spoilt: string } | undefined;

  async function listen(): Promise<void> {
    server = createServer((inside) => {
      const outside = connect(Number(target.port || 5432), target.hostname);
      inside.on('data', (chunk: Buffer) => {
        const at = spoiling ? chunk.indexOf(spoiling.text) : -1;
        if (!spoiling || at === -1) return;
        chunk.write(spoiling.spoilt, at);
        spoiling = undefined;
      });
      for (const [socket, other] of [
        [inside, outside],
        [outside, inside],
      ] as const) {
        sockets.add(socket);
        socket.pipe(other);
        socket.on('error', () => other.destroy());
        socket.on('close', () => sockets.delete(socket));
      }
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as { port: number }).port;
  }

  async function cut(): Promise<void> {
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  function silence(): void {
    for (const socket of sockets) socket.unpipe().pause();
  }

  const spoil: Proxy['spoil'] = (text, spoilt) => {
    spoiling = { text, spoilt };
  };
  function pointTo(other: string): void {
    target = new URL(other);
  }
  return { url: url.href, cut, mend: listen, pointTo, silence, spoil, [Symbol.asyncDispose]: cut };
}
