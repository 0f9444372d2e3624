import { type ControlOperation, controlOperations } from '@svc/contract/control';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const everyOperation: readonly ControlOperation[] = Object.values(controlOperations);
const writes = everyOperation.filter((operation) => operation.method !== 'GET');
const reads = everyOperation.filter(({ method, mediaType = 'application/json' }) => {
  return method === 'GET' && mediaType === 'application/json';
});

/** Sends a request with exactly these headers. A body of bytes has no type. */
async function send(method: string, path: string, type: string | undefined, body?: string) {
  const response = await fetch(api.server.url + path.replaceAll(/\{\w+\}/g, 'none'), {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    body: body === undefined ? null : Buffer.from(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('A request to the control API other than GET', () => {
  test.each(writes.map(({ method, path, streamed }) => ({ method, path, streamed })))(
    '$method $path needs the media type of JSON, with or without a body',
    async ({ method, path, streamed }) => {
      const refused = { status: 415, body: failure('UNSUPPORTED_MEDIA_TYPE', expect.stringContaining('Content-Type')) };
      const types = [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/csp-report', 'json'];
      for (const type of types) {
        expect([type, await send(method, path, type)]).toEqual([type, refused]);
        expect([type, await send(method, path, type, '{}')]).toEqual([type, refused]);
      }
      const lines = await send(method, path, 'application/x-ndjson', '{}\n');
      if (streamed) expect(lines.status).toBe(404);
      else expect(lines).toEqual(refused);
      expect((await send(method, path, 'Application/JSON; charset=utf-8', '{}')).status).not.toBe(415);
    },
  );
});

test.each(reads.map(({ path }) => path))('GET %s needs no media type', async (path) => {
  expect((await send('GET', path, undefined)).status).not.toBe(415);
});
