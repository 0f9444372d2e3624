import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

const CONNECTIONS = 300;

/** Sends a request without a credential on each of many connections, and another one after each response. */
async function flood(port: number, request: string) {
  const text = `${request} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  let responses = 0;
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket: Socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket.on('error', () => {});
    }),
  );
  for (const socket of sockets) {
    socket.on('data', (piece) => {
      if (!piece.includes('HTTP/1.1 ')) return;
      responses++;
      socket.write(text);
    });
    socket.write(text);
  }
  return {
    responses: () => responses,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('While a client without a credential sends requests on many connections, a tenant waits for few of them', () => {
  test.each(['GET /health/live', 'DELETE /v1/me', 'GET /docs', 'GET /_control/nothing'])('of %s', async (request) => {
    await using api = await startApi({ rateLimit: false });
    const me = () => api.call('GET', '/v1/me', { credential: demo.production.key });
    await me();
    using busy = await flood(api.server.port, request);
    await me();
    const before = busy.responses();
    for (let count = 0; count < 5; count++) await me();
    // Each of the five requests needs several passes of the event loop. Without the limit, each pass would serve every
    // connection: 80 requests of each.
    expect(busy.responses() - before).toBeLessThan(20 * CONNECTIONS);
    expect(busy.responses()).toBeGreaterThan(0);
  });
});
