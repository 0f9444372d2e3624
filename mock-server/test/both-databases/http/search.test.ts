import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCHED_FIELDS } from '../../../src/domain/search.ts';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { makeWorkspace } from '../../support/http/workspace.ts';

let api: TestApi;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  workspace = await makeWorkspace(api);
  await workspace.put(PEOPLE);
});
afterAll(() => api[Symbol.asyncDispose]());

const PEOPLE = [
  { externalId: 'u-1', name: 'Ada Lovelace', email: 'ada@engine.test' },
  { externalId: 'u-2', name: 'Ada', email: 'second@engine.test' },
  { externalId: 'u-3', name: 'Adalbert Engineer' },
  { externalId: 'u-4', name: 'ΟΔΥΣΣΕΥΣ Ελύτης' },
  { externalId: 'u-5', name: 'İpek Çağlar Iğdır' },
  { externalId: 'u-6', name: 'Jürgen Groß-Weißenberg' },
  { externalId: 'u-7', name: '山田 太郎 ﾔﾏﾀﾞ' },
  { externalId: 'u-8', email: 'only-mail@example.test' },
  { externalId: 'u-9-only-key' },
  { externalId: 'u-10', name: "O'Brien; drop table profiles" },
  { externalId: 'u-11', name: '東京都𠮷田さん' },
  { externalId: 'u-12', name: 'Søren Łukasz' },
];

async function titles(q: string, more = '', credential = workspace.credential): Promise<string[]> {
  const { status, body } = await api.call('GET', `/v1/search?q=${encodeURIComponent(q)}${more}`, { credential });
  expect(status).toBe(200);
  return body.data.map(({ title }: { title: string }) => title);
}

describe('Of the words to search for', () => {
  const search = async (q: string) => {
    const { credential, base } = workspace;
    const found = await api.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, { credential });
    const listed = await api.call('GET', `${base}/profiles?q=${encodeURIComponent(q)}`);
    expect(listed.status).toBe(found.status);
    return found;
  };

  test('eleven are refused, however they are separated', async () => {
    for (const q of ['a b c d e f g h i j k', 'a.b.c.d.e.f.g.h.i.j.k', 'a '.repeat(100)]) {
      expect(await search(q)).toMatchObject({
        status: 400,
        body: failure('VALIDATION', 'Invalid query: "q" must have at most 10 words.'),
      });
    }
  });

  test('ten are accepted, whatever else the text contains', async () => {
    for (const q of ['a b c d e f g h i j', '- ? -'.repeat(40), `${'a'.repeat(150)} b`]) {
      expect((await search(q)).status).toBe(200);
    }
  });
});

test.each(SEARCHED_FIELDS)(
  'A search finds a profile by a new value of the field %s, and shows the value',
  async (field) => {
    const { put, credential } = await makeWorkspace(api);
    const value = `${field}@searched.test`;
    await put([{ externalId: 'known', [field]: 'known' }]);
    await put([{ externalId: 'known', [field]: value }]);
    const { body } = await api.call('GET', `/v1/search?q=${encodeURIComponent(value)}`, { credential });
    expect(body.data).toMatchObject([{ type: 'profile', snippet: value }]);
  },
);

describe('A search', () => {
  test.each([
    // First whole fields, then whole words, then prefixes. The newest comes first in each group.
    ['ada', ['Ada', 'Ada Lovelace', 'Adalbert Engineer']],
    ['engine', ['Ada', 'Ada Lovelace', 'Adalbert Engineer']],
    ['ada lovelace', ['Ada Lovelace']],
    ['lovelace ada engine', ['Ada Lovelace']],
    ['love', ['Ada Lovelace']],
    ['ada none', []],
    ['ADA@ENGINE.TEST', ['Ada Lovelace', 'Ada']],
    ['u-9', ['u-9-only-key']],
    ['οδυσσευς', ['ΟΔΥΣΣΕΥΣ Ελύτης']],
    ['ελυτ', ['ΟΔΥΣΣΕΥΣ Ελύτης']],
    ['ipek igdir', ['İpek Çağlar Iğdır']],
    ['çağ', ['İpek Çağlar Iğdır']],
    ['gross weiss', ['Jürgen Groß-Weißenberg']],
    ['JURGEN', ['Jürgen Groß-Weißenberg']],
    ['soren luk', ['Søren Łukasz']],
    ['SØR', ['Søren Łukasz']],
    ['山', ['山田 太郎 ﾔﾏﾀﾞ']],
    ['太郎 ヤマ', ['山田 太郎 ﾔﾏﾀﾞ']],
    ['only mail', ['only-mail@example.test']],
    ['田', []],
    // `𠮷` has two UTF-16 units. They are the fourth and the fifth unit of the word.
    ['東京都𠮷', ['東京都𠮷田さん']],
    ['東京都𠮷田', ['東京都𠮷田さん']],
    ['東京都𠮷山', []],
  ])('for %s finds %j', async (q, found) => {
    expect(await titles(q)).toEqual(found);
  });

  test.each([
    '"',
    "'",
    '*',
    '--',
    '¤',
    '¦',
    '🦄',
    "' or 1=1",
    '" OR "a" *',
    'a NEAR(b)',
    'words:ada',
    'words : ^ada',
    "ada' & !'x",
    'ada:*',
    'ada <-> lovelace',
    '!ada',
    '-ada',
    '(ada',
    "\\'",
    '\\"',
    'ada\u0001',
    '%',
    '_',
  ])('for %j searches for its words only, on both databases', async (q) => {
    const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    expect(await titles(q)).toEqual(words.length === 0 ? [] : await titles(words.join(' ')));
  });

  test("finds O'Brien without running the SQL in the query", async () => {
    expect(await titles("o'brien; drop table profiles--")).toEqual(["O'Brien; drop table profiles"]);
    expect(await titles('adalbert')).toEqual(['Adalbert Engineer']);
  });

  test('shows the name, email or external id as the title, and the matching field as the snippet', async () => {
    const { body } = await api.call('GET', '/v1/search?q=second', workspace);
    expect(body.data).toEqual([
      { id: expect.stringMatching(/^prf_/), type: 'profile', title: 'Ada', snippet: 'second@engine.test', url: null },
    ]);
    const { body: byKey } = await api.call('GET', '/v1/search?q=9', workspace);
    expect(byKey.data).toMatchObject([{ title: 'u-9-only-key', snippet: 'u-9-only-key' }]);
  });

  test('ranks endpoints and profiles together, and can be limited to one type', async () => {
    const other = await makeWorkspace(api);
    const endpoint = async (url: string, description: string) =>
      (
        await api.call('POST', '/v1/webhooks/endpoints', {
          ...other,
          body: { url, description, subscribedEvents: ['*'] },
        })
      ).body.endpoint;
    await other.put([{ externalId: 'a', name: 'Billing' }]);
    const first = await endpoint('https://a.test/hooks', 'Billing team');
    await other.put([{ externalId: 'b', name: 'Billing department' }]);
    await endpoint('https://billings.test/', 'x');
    await endpoint('https://b.test/', 'billing');
    const { body } = await api.call('GET', '/v1/search?q=billing', other);
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual([
      'https://b.test/',
      'Billing',
      'Billing department',
      'https://a.test/hooks',
      'https://billings.test/',
    ]);
    expect(body.data[3]).toEqual({
      id: first.id,
      type: 'webhook_endpoint',
      title: 'https://a.test/hooks',
      snippet: 'Billing team',
      url: `/v1/webhooks/endpoints/${first.id}`,
    });
    expect(await titles('billing', '&type=profile', other.credential)).toEqual(['Billing', 'Billing department']);
    expect(await titles('billing', '&type=webhook_endpoint', other.credential)).toHaveLength(3);
    // Page forwards and back, with a profile deleted in between.
    const pages: string[][] = [];
    let url = '/v1/search?q=billing&limit=2';
    let last = { nextPageUrl: null, previousPageUrl: null } as Record<string, string | null>;
    for (let next: string | null = url; next; next = last['nextPageUrl'] ?? null) {
      last = (await api.call('GET', next, other)).body;
      pages.push((last['data'] as unknown as { title: string }[]).map(({ title }) => title));
    }
    expect(pages.flat()).toEqual(body.data.map(({ title }: { title: string }) => title));
    url = String(last['previousPageUrl']);
    const [billing] = await other.profiles('?q=billing%20department');
    await api.call('DELETE', `${other.base}/profiles/${billing.id}`);
    expect((await api.call('GET', url, other)).body.data).toMatchObject([
      { title: 'Billing' },
      { title: 'https://a.test/hooks' },
    ]);
  });

  test('stays within its workspace', async () => {
    const other = await makeWorkspace(api);
    expect(await titles('ada', '', other.credential)).toEqual([]);
  });

  test('finds a few old profiles among many newer ones', async () => {
    const other = await makeWorkspace(api);
    const named = (name: string, count: number) =>
      other.put(
        Array.from({ length: count }, (_, n) => ({ externalId: `${name}-${n}`, name, activeDays: ['2026-01-01'] })),
      );
    await named('Rare', 3);
    await named('Many', 2_100);
    await named('Rarest', 1);
    expect(await titles('rare', '', other.credential)).toEqual(['Rare', 'Rare', 'Rare', 'Rarest']);
    expect(await titles('rare-1', '', other.credential)).toEqual(['Rare']);
    expect(await titles('many', '', other.credential)).toEqual(Array(20).fill('Many'));
    const listed = async (q: string) =>
      (await other.profiles(`?limit=5&q=${q}`)).map(({ name }: { name: string }) => name);
    expect(await listed('rare')).toEqual(['Rarest', 'Rare', 'Rare', 'Rare']);
    expect(await listed('many')).toEqual(Array(5).fill('Many'));
    expect(await listed('rare%20many')).toEqual([]);
  });

  test('finds profiles by words that thousands of profiles contain', async () => {
    const other = await makeWorkspace(api);
    const put = (count: number, of: (n: number) => { externalId: string; name: string }) =>
      other.put(Array.from({ length: count }, (_, n) => of(n)));
    await put(1, () => ({ externalId: 'old-rare', name: 'Anna Miller Quill' }));
    await put(5_500, (n) => ({ externalId: `anna-${n}`, name: `Anna Miller ${n}` }));
    await put(2_500, (n) => ({ externalId: `bob-${n}`, name: `Bob Miller ${n}` }));
    const count = async (q: string) => (await titles(q, '&limit=100', other.credential)).length;
    // Every word is in more than 2,000 profiles, and none of the newest 2,000 has them all.
    expect(await count('anna')).toBe(100);
    expect(await count('ann mil')).toBe(100);
    expect(await count('miller anna')).toBe(100);
    // One word is rare, in the oldest profile of all.
    expect(await titles('anna miller quill', '', other.credential)).toEqual(['Anna Miller Quill']);
    expect(await titles('a m q', '', other.credential)).toEqual(['Anna Miller Quill']);
    expect(await titles('anna miller 5499', '', other.credential)).toEqual(['Anna Miller 5499']);
    expect(await titles('anna miller bob', '', other.credential)).toEqual([]);
    // All pages together have every profile once.
    const seen: string[] = [];
    for (let path: string | null = '/v1/search?limit=100&q=bob'; path !== null; ) {
      const page: { body: { data: { id: string }[]; nextPageUrl: string | null } } = await api.call('GET', path, {
        credential: other.credential,
      });
      seen.push(...page.body.data.map(({ id }) => id));
      path = page.body.nextPageUrl;
    }
    expect([seen.length, new Set(seen).size]).toEqual([2_500, 2_500]);
  });

  test('uses the new name after a profile is renamed', async () => {
    const other = await makeWorkspace(api);
    const find = (q: string) => titles(q, '', other.credential);
    await other.put([{ externalId: 'a', name: 'Before' }]);
    await other.put([{ externalId: 'a', name: 'After' }]);
    expect([await find('before'), await find('after')]).toEqual([[], ['After']]);
  });
});

describe('A search for profiles whose ids a seed sets, in any order', () => {
  const ADDED = ['x-1', 'x-2'];
  const SET = [
    'prf_user',
    'prf_x01KDVDNA00V7RQNK71NEXX0F4Q',
    undefined,
    'prf_c',
    'prf_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    undefined,
    'prf_b',
    'prf_0',
    undefined,
  ];

  async function start() {
    const own = await startApi({ rateLimit: false });
    const profiles = SET.map((id, index) => ({ id, externalId: `s-${index}`, name: 'Alpha' }));
    const apiKeys = [{ credential: demo.production.key }];
    const workspaces = [{ id: 'wsp_1', slug: 'one', name: 'One', apiKeys, profiles }];
    const seed = { organizations: [{ slug: 'acme', name: 'Acme', workspaces }] };
    expect(await own.call('POST', '/_control/reset', { body: { seed } })).toMatchObject({ status: 200 });
    const put = await own.call('PUT', '/_control/workspaces/wsp_1/profiles', {
      body: ADDED.map((externalId) => ({ externalId, name: 'Alpha' })),
    });
    expect(put.status).toBe(200);
    return own;
  }

  interface Page {
    data: { id: string }[];
    nextPageUrl: string | null;
    previousPageUrl: string | null;
  }

  /** Follows the links of a list to its end. */
  async function walk(own: TestApi, first: string, link: 'nextPageUrl' | 'previousPageUrl'): Promise<string[][]> {
    const pages: string[][] = [];
    for (let url: string | null = first; url; ) {
      const { status, body }: { status: number; body: Page } = await own.call('GET', url, {
        credential: demo.production.key,
      });
      expect(status).toBe(200);
      pages.push(body.data.map(({ id }) => id));
      expect(pages.length).toBeLessThan(20);
      url = body[link];
    }
    return pages;
  }

  test.each([1, 2, 3, 20])('finds each exactly once, in pages of %d, in the order of the ids', async (limit) => {
    await using own = await start();
    const check = async () => {
      const found = (await walk(own, `/v1/search?q=alpha&limit=${limit}`, 'nextPageUrl')).flat();
      expect(found).toEqual(found.toSorted().reverse());
      expect(new Set(found).size).toBe(SET.length + ADDED.length);
      return found;
    };
    const found = await check();
    await own.call('POST', '/_control/snapshots/copy');
    expect((await own.call('POST', '/_control/snapshots/copy/restore')).status).toBe(200);
    expect(await check()).toEqual(found);
  });

  test('finds the pages before a page', async () => {
    await using own = await start();
    const first = '/v1/search?q=alpha&limit=3';
    const there = await walk(own, first, 'nextPageUrl');
    let last = first;
    for (let page = 1; page < there.length; page++) {
      last = (await own.call('GET', last, { credential: demo.production.key })).body.nextPageUrl;
    }
    const back = await walk(own, last, 'previousPageUrl');
    expect(back.toReversed().flat()).toEqual(there.flat());
  });
});
