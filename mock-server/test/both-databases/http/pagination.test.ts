import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  await cause(37);
});
afterAll(() => api[Symbol.asyncDispose]());

const as = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

const cause = (count: number) => api.call('POST', '/_control/events', { body: { events: Array(count).fill(event) } });

async function idsFrom(url: string, follow: 'nextPageUrl' | 'previousPageUrl'): Promise<string[][]> {
  const pages: string[][] = [];
  for (let at: string | null = url; at !== null; ) {
    const { body }: { body: { data: { id: string }[] } & Record<typeof follow, string | null> } = await api.call(
      'GET',
      at,
      as,
    );
    pages.push(body.data.map(({ id }) => id));
    at = body[follow];
  }
  return pages;
}

describe('List envelope', () => {
  test('paging forwards and back again returns every event once, newest first', async () => {
    const all = (await api.call('GET', '/v1/events?limit=100', as)).body.data.map(({ id }: { id: string }) => id);
    expect(all).toHaveLength(37);
    expect(all).toEqual(all.toSorted().reverse());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const forwards = await idsFrom(`/v1/events?limit=${limit}`, 'nextPageUrl');
        expect(forwards.flat()).toEqual(all);
        expect(forwards).toHaveLength(Math.ceil(37 / limit));

        let lastUrl = `/v1/events?limit=${limit}`;
        for (let next: string | null = lastUrl; next !== null; ) {
          lastUrl = next;
          next = (await api.call('GET', next, as)).body.nextPageUrl;
        }
        const backwards = await idsFrom(lastUrl, 'previousPageUrl');
        expect(backwards.toReversed().flat()).toEqual(all);
      }),
      { numRuns: 12 },
    );
  });

  test('the first page has no previous URL, and the last page has no next URL', async () => {
    const first = (await api.call('GET', '/v1/events?limit=30', as)).body;
    expect(first.previousPageUrl).toBeNull();
    const last = (await api.call('GET', first.nextPageUrl, as)).body;
    expect(last.nextPageUrl).toBeNull();
    expect(last.previousPageUrl).toMatch(/^http/);
  });

  test('events that arrive between two pages do not shift the pages', async () => {
    await using own = await startApi({ rateLimit: false });
    const send = () => own.call('POST', '/_control/events', { body: { events: Array(5).fill(event) } });
    await send();
    await send();
    const first = (await own.call('GET', '/v1/events?limit=4', as)).body;
    await send();
    const second = (await own.call('GET', first.nextPageUrl, as)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(new Set(ids).size).toBe(8);
    expect(second.previousPageUrl).not.toBeNull();
  });

  test('page URLs are absolute and include limit and filters', async () => {
    const { nextPageUrl } = (await api.call('GET', '/v1/events?type=lifecycle.evaluated&limit=3&unknown=1', as)).body;
    const url = new URL(nextPageUrl);
    expect(url.origin).toBe(api.server.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      type: 'lifecycle.evaluated',
      limit: '3',
      page: expect.stringMatching(/^[\w-]+$/),
    });
  });

  test('a token is bound to its list, its workspace and its filters', async () => {
    const { nextPageUrl } = (await api.call('GET', '/v1/events?limit=3', as)).body;
    const page = new URL(nextPageUrl).searchParams.get('page');
    const ask = async (path: string, credential: string = demo.production.key) =>
      (await api.call('GET', path, { credential })).status;
    expect(await ask(`/v1/events?page=${page}`)).toBe(200);
    expect(await ask(`/v1/events?page=${page}&type=lifecycle.evaluated`)).toBe(400);
    expect(await ask(`/v1/webhooks/deliveries?page=${page}`)).toBe(400);
    expect(await ask(`/v1/events?page=${page}`, demo.staging.key)).toBe(400);
  });

  test('a token with any character changed, added or removed is refused', async () => {
    const { nextPageUrl } = (await api.call('GET', '/v1/events?limit=3', as)).body;
    const token = String(new URL(nextPageUrl).searchParams.get('page'));
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const changed = fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...alphabet))
      .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1))
      .filter((candidate) => candidate !== token);
    const candidates = fc.oneof(
      changed,
      fc.nat(token.length - 1).map((end) => token.slice(0, end)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(candidates, async (candidate) => {
        const answer = await api.call('GET', `/v1/events?page=${encodeURIComponent(candidate)}`, as);
        expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
      }),
      { numRuns: 150 },
    );
  });
});

describe('The query of a list', () => {
  test.each(['0', '101', 'x', '', '1.5'])('limit=%s is refused', async (limit) => {
    const answer = await api.call('GET', `/v1/workspaces?limit=${limit}`, { credential: demo.admin });
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.stringContaining('limit')) });
  });

  test.each(['x', '', '1.5', '5.0'])('the message about limit=%s says what is valid', async (limit) => {
    const { body } = await api.call('GET', `/v1/workspaces?limit=${limit}`, { credential: demo.admin });
    expect(body).toEqual(failure('VALIDATION', 'Invalid query: "limit" must be an integer from 1 to 100.'));
  });

  test.each(['/v1/workspaces', '/v1/organizations'])('%s refuses every page token', async (path) => {
    const answer = await api.call('GET', `${path}?page=abc`, { credential: demo.admin });
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.stringContaining('page')) });
  });
});
