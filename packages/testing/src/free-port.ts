import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port for a program that cannot choose a free port itself. The port is below the range from which the
 * system assigns ports, so no other program takes the port by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    try {
      server.listen(10_000 + Math.floor(Math.random() * 20_000), '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  }
}
