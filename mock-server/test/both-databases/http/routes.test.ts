import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

describe('Routes', () => {
  test('an unknown route returns 404, with or without a credential', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/nothing',
      '/v1/workspaces/',
      '/v2/me',
      '/v1/webhooks/endpoints/whe_1/secrets',
    ]) {
      expect(await api.call('GET', path), path).toMatchObject({
        status: 404,
        body: failure('NOT_FOUND', expect.any(String)),
      });
    }
  });

  test('a known path returns 405 for any other method, and lists the allowed ones', async () => {
    const answer = await api.call('PUT', '/v1/webhooks/endpoints');
    // `docs/reference/errors.md` shows this message.
    const message = '/v1/webhooks/endpoints does not support PUT. Its methods are GET, HEAD, POST.';
    expect(answer).toMatchObject({ status: 405, body: failure('METHOD_NOT_ALLOWED', message) });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await api.call('DELETE', '/v1/webhooks/event-types')).headers.get('allow')).toBe('GET, HEAD');
  });

  test('a fixed path never counts as a path with a parameter, for any method', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      const answer = await api.call(method, '/v1/webhooks/endpoints/event-types', {
        credential: demo.production.key,
        ...(method === 'DELETE' ? {} : { body: {} }),
      });
      expect(answer).toMatchObject({ status: 405, body: failure('METHOD_NOT_ALLOWED', expect.any(String)) });
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
    const one = '/v1/webhooks/endpoints/event-type';
    expect((await api.call('DELETE', one, { credential: demo.production.key })).status).toBe(404);
    expect((await api.call('PUT', one)).headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
  });

  test('every response has its own request id', async () => {
    const answers = await Promise.all(['/v1/nothing', '/v1/me', '/health/live'].map((path) => api.call('GET', path)));
    const ids = answers.map(({ headers }) => headers.get('service-request-id'));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('the OpenAPI document names the URL of this server', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: api.server.url }] });
  });

  test('the health checks answer', async () => {
    for (const path of ['/health/live', '/health/ready']) expect((await api.call('GET', path)).status).toBe(200);
  });
});
