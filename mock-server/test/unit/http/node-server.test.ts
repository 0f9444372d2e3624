import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNodeServer } from '../../../src/http/node-server.ts';

let port: number;
let server: ReturnType<typeof createNodeServer>;
beforeEach(async () => {
  server = createNodeServer(() => new Response('served'), { nextBare: () => 'request' });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => void server.close().closeAllConnections());

/** Requests that the server answers on the socket itself, because they never become a request for the handler. */
const RAW = [
  ['CONNECT', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n', 405],
  ['a request that is not valid HTTP', 'NOT HTTP\r\n\r\n', 400],
] as const;

test.each(RAW)('A client that resets the connection after %s does not end the process', async (_what, request) => {
  const [client] = await Promise.all([connect(port, '127.0.0.1'), once(server, 'connection')]);
  const received = once(server, request.startsWith('CONNECT') ? 'connect' : 'clientError');
  client.write(request);
  const [, socket] = await received;
  client.resetAndDestroy();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served');
});

test.each(RAW)(
  'The connection of a client that keeps its side open after %s is closed',
  async (_what, request, status) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(request);
    const [response] = await once(client, 'data');
    expect(String(response)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    await vi.waitUntil(async () => (await connections()) === 0);
    client.destroy();
  },
);

test('The response to a CONNECT names the allowed methods: none', async () => {
  const client = connect(port, '127.0.0.1');
  client.write(RAW[0][1]);
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^Allow: \r$/m);
  client.destroy();
});
