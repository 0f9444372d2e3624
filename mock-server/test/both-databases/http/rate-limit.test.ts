import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

describe('Rate limit', () => {
  test('accepts exactly 120 of 200 concurrent requests with a token, and answers the others with 429 and a wait time', async () => {
    await using own = await startApi();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => own.call('GET', '/v1/workspaces', { credential: demo.owner })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(refused).toHaveLength(80);
    for (const { headers, body } of refused) {
      expect(body).toEqual(failure('RATE_LIMITED', expect.any(String)));
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    }
    const other = await own.call('GET', '/v1/workspaces', { credential: demo.viewer });
    expect(other.headers.get('ratelimit-policy')).toBe('"default";q=120;w=60');
    expect(other.headers.get('ratelimit')).toMatch(/^"default";r=119;t=\d+$/);
  });

  test('also sets its headers on refusals', async () => {
    const answer = await api.call('GET', '/v1/workspaces', { credential: demo.production.key });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=300;w=60');
  });

  test('can be turned off, including its headers', async () => {
    await using unlimited = await startApi({ rateLimit: false });
    const { headers } = await unlimited.call('GET', '/v1/me', { credential: demo.owner });
    expect(headers.has('ratelimit')).toBe(false);
  });
});
