import { describe, expect, test } from 'vitest';
import { createHandler } from '../../src/index.ts';
import { failure } from '../support/api.ts';
import { demo } from '../support/demo.ts';

const open = () => createHandler({ dataDir: null, logLevel: 'silent' });
const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
const ME = 'http://service.test/v1/me';

/** A request whose body never ends. `read` resolves when the server reads the body. */
function stalledRequest(signal?: AbortSignal) {
  const read = Promise.withResolvers<void>();
  const body = new ReadableStream({ pull: () => read.resolve() }, { highWaterMark: 0 });
  const url = `http://service.test/v1/workspaces/${demo.production.id}`;
  const init = { method: 'PATCH', headers, body, duplex: 'half', signal: signal ?? null };
  return { request: new Request(url, init as RequestInit), read: read.promise };
}

describe('A request to a handler, whose body does not end,', () => {
  test('is rejected with the reason when its signal is aborted', async () => {
    await using handler = await open();
    const controller = new AbortController();
    const { request, read } = stalledRequest(controller.signal);
    const response = handler.fetch(request);
    await read;
    const reason = new Error('the caller lost patience');
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
    expect((await handler.fetch(new Request(ME, { headers }))).status).toBe(200);
  });

  test('is rejected at once if its signal is aborted already', async () => {
    await using handler = await open();
    const { request } = stalledRequest(AbortSignal.abort(new Error('aborted before')));
    await expect(handler.fetch(request)).rejects.toThrow('aborted before');
  });

  test('is rejected when the handler is closed', async () => {
    const handler = await open();
    const { request, read } = stalledRequest();
    const response = handler.fetch(request);
    const refused = expect(response).rejects.toThrow(
      'The service was closed before it had received the whole request.',
    );
    await read;
    await handler.close();
    await refused;
  });
});

test('A closed handler responds that the server is shutting down', async () => {
  const handler = await open();
  await handler.close();
  const response = await handler.fetch(new Request(ME, { headers }));
  expect([response.status, await response.json()]).toEqual([
    503,
    failure('UNAVAILABLE', 'The server is shutting down.'),
  ]);
});
