import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('A chunked body over the limit', () => {
  test.each([
    ['PATCH', `/v1/workspaces/${demo.production.id}`],
    ['POST', '/v1/webhooks/endpoints'],
    ['GET', '/v1/me'],
  ])(
    'of %s is refused after its last byte: the client reads the whole 413, and that the connection ends',
    async (method, path) => {
      const socket = connect(api.server.port, '127.0.0.1');
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${demo.production.key}\r\n` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      // Send four times the limit before reading anything, like a client that does not expect an early answer.
      const chunk = ' '.repeat(65_536);
      for (let count = 0; count < 64; count++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      await new Promise((resolve) => socket.write('0\r\n\r\n', resolve));
      const answer = await text(socket.setEncoding('utf8'));
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(failure('PAYLOAD_TOO_LARGE', expect.any(String)));
    },
  );
});

test('a body without an announced length is cut off at the limit', async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const response = await fetch(`${api.server.url}/v1/workspaces/${demo.production.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' },
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

const rename = (rawBody: string) =>
  api.call('PATCH', `/v1/workspaces/${demo.staging.id}`, {
    credential: demo.staging.key,
    headers: { 'content-type': 'application/json' },
    rawBody,
  });

test('A body that is nested more than 1,000 levels deep is refused', async () => {
  const nested = (levels: number) => `{"name":"ok","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect((await rename(nested(1_000))).body).toEqual(
    failure('VALIDATION', 'The body is nested more than 1,000 levels deep.'),
  );
  // The field is unknown, so it may be ignored or refused by its name. Only the depth matters here.
  expect((await rename(nested(999))).body.error?.message ?? '').not.toContain('nested');
  // Brackets in a string, also after an escaped quotation mark, are text.
  expect((await rename(`{"name":"${'\\\\\\"['.repeat(30)}","x":"${'['.repeat(5_000)}"}`)).status).toBe(200);
});

test('Depth is checked before the body is parsed, because parsing it takes a long time', async () => {
  expect((await rename('['.repeat(5_000))).body).toEqual(
    failure('VALIDATION', 'The body is nested more than 1,000 levels deep.'),
  );
});

test('A body with more than 10,000 arrays, objects and fields is refused before it is parsed', async () => {
  const wide = (count: number) => `{"name":"ok","x":[${Array(count - 2).fill('[]')}]}`;
  const message = 'The body contains more than 10,000 arrays, objects and fields.';
  expect((await rename(wide(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename('[],'.repeat(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename(wide(9_998))).status).toBe(200);
  const fields = (count: number) =>
    `{"name":"o:k",${Array.from({ length: count - 2 }, (_, index) => `"x${index}":0`)}}`;
  expect((await rename(fields(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename(fields(10_000))).status).toBe(200);
});
