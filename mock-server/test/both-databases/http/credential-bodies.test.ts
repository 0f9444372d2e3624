import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

const AT_ONCE = 4;
const SENT = 30;
const BODY = 1024 * 1024;

/** Collects the requests that this process receives. */
function collectRequests() {
  const requests: IncomingMessage[] = [];
  const add = (message: unknown) => void requests.push((message as { request: IncomingMessage }).request);
  subscribe('http.server.request.start', add);
  return { requests, [Symbol.dispose]: () => void unsubscribe('http.server.request.start', add) };
}

/** Sends a request whose body lacks its last byte. */
function beginBody(api: TestApi, workspace = 'wsp_none') {
  const socket = connect(api.server.port, '127.0.0.1');
  socket.write(`PATCH /v1/workspaces/${workspace} HTTP/1.1\r\nHost: 127.0.0.1:${api.server.port}\r\n`);
  socket.write('Connection: close\r\n');
  socket.write(`Authorization: Bearer ${demo.production.key}\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${BODY}\r\n\r\n${`{}${' '.repeat(BODY)}`.slice(0, BODY - 1)}`);
  let response = '';
  socket.setEncoding('latin1').on('data', (text) => {
    response += text;
  });
  return {
    async end() {
      const closed = once(socket, 'close');
      socket.write(' ');
      await closed;
      return Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

test('The server reads only a few unfinished bodies of a credential, other credentials do not wait, and each body is read in the end', async () => {
  await using api = await startApi({ rateLimit: false });
  // The server knows the credential.
  await api.call('GET', '/v1/me', { credential: demo.production.key });
  using collected = collectRequests();
  using owned = new DisposableStack();
  const bodies = Array.from({ length: SENT }, () => owned.use(beginBody(api)));
  const begun = () => collected.requests.filter(({ method }) => method === 'PATCH');
  const read = () => begun().filter(({ socket }) => socket.bytesRead >= BODY);
  await vi.waitFor(() => expect(begun().length).toBe(SENT));
  await vi.waitFor(() => expect(read().length).toBe(AT_ONCE));
  for (let count = 0; count < 20; count++) {
    expect((await api.call('GET', '/v1/me', { credential: demo.staging.key })).status).toBe(200);
  }
  expect(read().length).toBe(AT_ONCE);
  const others = begun().filter(({ socket }) => socket.bytesRead < BODY);
  expect(Math.max(...others.map(({ socket }) => socket.bytesRead))).toBeLessThan(BODY / 2);
  expect(await Promise.all(bodies.map(({ end }) => end()))).toEqual(Array(SENT).fill(403));
});

test('A request whose credential is revoked while its body arrives is rejected', async () => {
  await using api = await startApi({ rateLimit: false });
  const before = await api.call('GET', '/v1/me', { credential: demo.production.key });
  using collected = collectRequests();
  using begun = beginBody(api, demo.production.id);
  await vi.waitFor(() => expect(collected.requests[0]?.socket.bytesRead).toBeGreaterThan(BODY));
  await api.call('DELETE', `/_control/credentials/${before.body.credential.id}`);
  expect(await begun.end()).toBe(401);
});
