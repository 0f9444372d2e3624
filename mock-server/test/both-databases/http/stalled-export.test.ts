import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

/** More than two sockets and the server keep for readers that stall. */
async function fillDatabase({ call }: TestApi) {
  const attributes = { text: 'a'.repeat(8_000) };
  const lines = Array.from({ length: 1_000 }, (_, index) => JSON.stringify({ externalId: `${index}`, attributes }));
  const { status } = await call('PUT', `/_control/workspaces/${demo.production.id}/profiles`, {
    rawBody: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(status).toBe(200);
}

/** Requests an export and reads nothing. */
async function stall({ server }: TestApi): Promise<IncomingMessage & Disposable> {
  const request = get(`${server.url}/_control/export`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.on('error', () => {});
  return Object.assign(response, { [Symbol.dispose]: () => void response.destroy() });
}

test('Two exports can run at a time. A third one is refused until one of them ends, and everything else works', async () => {
  await using api = await startApi();
  await fillDatabase(api);
  using first = await stall(api);
  using _second = await stall(api);
  expect(await api.call('GET', '/_control/export')).toMatchObject({
    status: 409,
    body: failure('CONFLICT', 'This server is already running 2 exports. Wait until one of them has ended.'),
  });
  const created = await api.call('POST', '/_control/events', {
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  expect(created.status).toBe(201);

  first.destroy();
  const next = await vi.waitUntil(async () => {
    const response = await fetch(`${api.server.url}/_control/export`);
    const text = await response.text();
    return response.status === 200 && text;
  });
  expect(next).toMatch(/\n\{"end":true,"rows":\d+\}\n$/);
});

test('HEAD takes no place of an export, and checks the query as GET does', async () => {
  await using api = await startApi();
  const head = async (query = '') => await fetch(`${api.server.url}/_control/export${query}`, { method: 'HEAD' });
  for (let count = 0; count < 3; count += 1) {
    const { status, headers } = await head('?stable=true');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  }
  expect((await head('?stable=perhaps')).status).toBe(400);
  const exported = await fetch(`${api.server.url}/_control/export`);
  expect(await exported.text()).toMatch(/\n\{"end":true,"rows":\d+\}\n$/);
});
