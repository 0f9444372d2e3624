import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on the loopback interface that is free, for a program that must be told its port. It lies below the ports that
 * the system hands out itself, so nothing takes it by chance before the program does.
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
