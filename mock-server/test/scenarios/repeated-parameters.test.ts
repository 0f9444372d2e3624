import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const organizations = (query: string) => api.call('GET', `/v1/organizations?${query}`, { credential: demo.owner });

describe('A query parameter that is given twice', () => {
  test('counts as one list if it is expand', async () => {
    const { status, body } = await organizations('expand=workspaces&expand=&expand=workspaces');
    expect(status).toBe(200);
    expect(body.data[0].workspaces).not.toHaveLength(0);
  });

  test.each(['expand=nope&expand=workspaces', 'expand=workspaces&expand=nope'])('is refused: %s', async (query) => {
    expect(await organizations(query)).toMatchObject({
      status: 400,
      body: failure('VALIDATION', 'Unknown expand field: "nope". Available: workspaces.'),
    });
  });

  test.each([
    ['/v1/events?limit=5&limit=6', 'limit'],
    ['/v1/events?type=a&limit=1&type=a', 'type'],
    ['/v1/webhooks/deliveries?status=success&status=failed', 'status'],
    ['/v1/search?q=a&q=b', 'q'],
    ['/v1/webhooks/endpoints?page=x&page=y', 'page'],
    // Also if the operation does not have it.
    ['/v1/events?colour=red&colour=blue', 'colour'],
    ['/v1/me?limit=1&limit=2', 'limit'],
    ['/v1/events?__proto__=a&__proto__=b', '__proto__'],
    [`/v1/me?${'%0a'.repeat(65)}=a&${'%0a'.repeat(65)}=b`, '%0A'.repeat(64)],
  ])('is refused: %s', async (path, name) => {
    expect(await api.call('GET', path, { credential: demo.production.key })).toMatchObject({
      status: 400,
      body: failure('VALIDATION', `Invalid query: "${name}" is given twice.`),
    });
  });

  test('is ignored if it is expand and the operation does not have it', async () => {
    const { status } = await api.call('GET', '/v1/events?expand=a&expand=b', { credential: demo.production.key });
    expect(status).toBe(200);
  });

  test('is refused for a write too, and nothing is changed', async () => {
    const write = (query: string) =>
      api.call('PATCH', `/v1/workspaces/${demo.production.id}?${query}`, {
        credential: demo.production.key,
        body: { name: query },
      });
    expect((await write('a=1&a=1')).status).toBe(400);
    expect(await write('a=1&b=1')).toMatchObject({ status: 200, body: { workspace: { name: 'a=1&b=1' } } });
  });
});
