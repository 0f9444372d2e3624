import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const rename = (rawBody: string) =>
  api.call('PATCH', `/v1/workspaces/${demo.staging.id}`, {
    credential: demo.staging.key,
    headers: { 'content-type': 'application/json' },
    rawBody,
  });

describe('Half of a surrogate pair', () => {
  test.each(['{"name":"a\\ud800"}', '{"name":"\\uDFFFa"}', '{"name":"\\ude00\\ud83d"}', '{"x":{"\\ud83d":[]}}'])(
    'is refused in %s',
    async (rawBody) => {
      expect(await rename(rawBody)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
    },
  );

  test('is refused in an endpoint and by the control API', async () => {
    const headers = { 'content-type': 'application/json' };
    const endpoint = (text: string) =>
      api.call('POST', '/v1/webhooks/endpoints', {
        credential: demo.staging.key,
        headers,
        rawBody: `{"url":"https://x.test/${text}","subscribedEvents":["*"],"description":"${text}"}`,
      });
    expect((await endpoint('\\ud83d')).status).toBe(400);
    expect((await endpoint('\\ud83d\\ude00')).body.endpoint).toMatchObject({
      url: 'https://x.test/😀',
      description: '😀',
    });
    const user = async (name: string) => {
      const rawBody = `{"email":"pair@x.test","name":"${name}"}`;
      return (await api.call('POST', '/_control/users', { headers, rawBody })).status;
    };
    expect(await user('\\ud83d')).toBe(400);
    expect(await user('\\ud83d\\ude00')).toBe(201);
  });

  test('is allowed as part of a whole pair, and as text after an escaped backslash', async () => {
    expect((await rename('{"name":"a\\uD83D\\uDE00"}')).body.workspace.name).toBe('a😀');
    expect((await rename('{"name":"a\\\\ud800"}')).body.workspace.name).toBe('a\\ud800');
  });
});

describe('The character U+0000', () => {
  test('is refused in a body, but allowed as text after an escaped backslash', async () => {
    expect((await rename('{"name":"a\\u0000b"}')).status).toBe(400);
    expect((await rename('{"name":"a\\\\\\u0000b"}')).status).toBe(400);
    expect((await rename('{"name":"a\\\\u0000b"}')).body.workspace.name).toBe('a\\u0000b');
  });

  test('matches nothing in a path or a filter', async () => {
    const key = { credential: demo.staging.key };
    expect((await api.call('GET', '/v1/events/evt_%00', key)).status).toBe(404);
    expect((await api.call('GET', '/v1/events?type=%00', key)).body.data).toEqual([]);
  });
});
