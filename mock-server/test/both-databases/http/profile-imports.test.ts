import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { freezeAt, makeWorkspace } from '../../support/http/workspace.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await freezeAt(api, '2031-03-10T12:00:00.000Z');
});
afterAll(() => api[Symbol.asyncDispose]());

const NOW = '2031-03-10T12:00:00.000Z';
const counts = { upserted: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, problems: [] };

describe('An import of profiles', () => {
  test('creates a profile, updates it or leaves it unchanged, by its external id', async () => {
    const { put, profiles } = await makeWorkspace(api);
    const created = await put([{ externalId: 'a', name: 'Ada', attributes: { plan: 'pro' } }, { externalId: 'b' }]);
    expect([created.status, created.body]).toEqual([200, { ...counts, upserted: 2, created: 2 }]);
    const again = await put([{ externalId: 'a', email: 'ada@example.test' }, { externalId: 'b' }]);
    expect(again.body).toEqual({ ...counts, upserted: 2, updated: 1, unchanged: 1 });
    const [b, a] = await profiles();
    expect(a).toEqual({
      id: expect.stringMatching(/^prf_[0-9A-HJKMNP-TV-Z]{26}$/),
      externalId: 'a',
      name: 'Ada',
      email: 'ada@example.test',
      attributes: { plan: 'pro' },
      firstSeenAt: NOW,
      lastSeenAt: NOW,
      activeDays: [],
      state: null,
      scores: null,
      signals: null,
      evaluatedAt: null,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(b.externalId).toBe('b');
  });

  test('keeps an omitted field, and clears a field that is null', async () => {
    const { put, profiles } = await makeWorkspace(api);
    await put([{ externalId: 'a', name: 'Ada', email: 'a@a.test', attributes: { x: 1 } }]);
    await put([{ externalId: 'a', name: null, attributes: {} }]);
    expect(await profiles()).toMatchObject([{ name: null, email: 'a@a.test', attributes: {} }]);
  });

  test('merges days and times: keeps the earliest and the latest time, and each day once', async () => {
    const { put, profiles } = await makeWorkspace(api, { timezone: 'Europe/Berlin' });
    await put([{ externalId: 'a', activeDays: ['2031-02-03', '2031-02-01', '2031-02-03'] }]);
    expect(await profiles()).toMatchObject([
      {
        firstSeenAt: '2031-01-31T23:00:00.000Z',
        lastSeenAt: '2031-02-02T23:00:00.000Z',
        activeDays: ['2031-02-01', '2031-02-03'],
      },
    ]);
    // The first time is on a day that already counts from its start. The last one is another day in UTC than in the zone.
    await put([{ externalId: 'a', firstSeenAt: '2031-02-01T10:00:00+01:00', lastSeenAt: '2031-02-05T23:30:00Z' }]);
    expect(await profiles()).toMatchObject([
      {
        firstSeenAt: '2031-01-31T23:00:00.000Z',
        lastSeenAt: '2031-02-05T23:30:00.000Z',
        activeDays: ['2031-02-01', '2031-02-03', '2031-02-06'],
      },
    ]);
  });

  test('does not move a known time back to the start of its day', async () => {
    const { put, profiles } = await makeWorkspace(api);
    const seen = { firstSeenAt: '2031-02-01T10:00:00Z', activeDays: ['2031-02-01'] };
    await put([{ externalId: 'a', ...seen }]);
    expect(await profiles()).toMatchObject([{ firstSeenAt: '2031-02-01T10:00:00.000Z' }]);
    expect((await put([{ externalId: 'a', activeDays: ['2031-02-01'] }])).body.unchanged).toBe(1);
    await put([{ externalId: 'a', activeDays: ['2031-01-31'] }]);
    expect(await profiles()).toMatchObject([{ firstSeenAt: '2031-01-31T00:00:00.000Z' }]);
  });

  test('keeps the latest 400 days', async () => {
    const { put, profiles } = await makeWorkspace(api);
    const day = (n: number) => new Date(Date.UTC(2029, 0, 1 + n)).toISOString().slice(0, 10);
    const days = Array.from({ length: 500 }, (_, n) => day(n));
    await put([{ externalId: 'a', activeDays: days }]);
    const [profile] = await profiles();
    expect(profile.activeDays).toEqual(days.slice(100));
    expect(profile.firstSeenAt).toBe('2029-01-01T00:00:00.000Z');
    // An older day changes nothing.
    expect((await put([{ externalId: 'a', activeDays: [day(5)] }])).body).toMatchObject({ unchanged: 1, updated: 0 });
  });

  test('merges lines with the same key in their order', async () => {
    const { putLines, profiles } = await makeWorkspace(api);
    const lines = [
      { externalId: 'a', name: 'First', activeDays: ['2031-03-01'] },
      { externalId: 'b' },
      { externalId: 'a', name: 'Second', activeDays: ['2031-03-02'] },
      { externalId: 'a' },
    ];
    const { body } = await putLines(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(body).toEqual({ ...counts, upserted: 4, created: 2, updated: 1, unchanged: 1 });
    expect(await profiles('?q=second')).toMatchObject([{ name: 'Second', activeDays: ['2031-03-01', '2031-03-02'] }]);
  });

  test('reports invalid lines, and imports the others', async () => {
    const { putLines, profiles } = await makeWorkspace(api);
    const bad = [
      '{"externalId":"a"',
      '{"externalId":""}',
      '{"name":"x"}',
      `{"externalId":"${'x'.repeat(201)}"}`,
      '{"externalId":"x","activeDays":["2031-02-29"]}',
      `{"externalId":"x","attributes":{"a":"${'y'.repeat(17 * 1024)}"}}`,
      '{"externalId":"x","attributes":[]}',
      '{"externalId":"x","lastSeenAt":"yesterday"}',
      '{"externalId":"x\\u0000"}',
      '{"externalId":"x\\ud800"}',
      '[]',
      '7',
    ];
    const text = Buffer.from(['{"externalId":"first"}', '', ...bad, '{"externalId":"last"}'].join('\r\n'));
    const invalid = Buffer.concat([text, Buffer.from('\n{"externalId":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    const { status, body } = await putLines(new Uint8Array(invalid));
    expect(status).toBe(200);
    expect(body).toEqual({
      ...counts,
      upserted: 2,
      created: 2,
      rejected: 13,
      problems: [
        { line: 3, message: 'The profile is not valid JSON.' },
        { line: 4, message: '"externalId" must have 1 to 200 characters.' },
        { line: 5, message: '"externalId" is missing; it must be a string.' },
        { line: 6, message: '"externalId" must have 1 to 200 characters.' },
        { line: 7, message: '"activeDays.0" must be a day that exists, such as 2026-02-28.' },
        { line: 8, message: '"attributes" must be at most 16384 bytes of JSON.' },
        { line: 9, message: '"attributes" must be an object.' },
        {
          line: 10,
          message: '"lastSeenAt" must be an ISO 8601 date and time with Z or an offset, such as 2026-03-01T09:30:00Z.',
        },
        { line: 11, message: 'The profile contains the character U+0000, which cannot be stored.' },
        { line: 12, message: 'The profile contains half of a surrogate pair, which is not a character.' },
        { line: 13, message: 'The profile must be an object.' },
        { line: 14, message: 'The profile must be an object.' },
        { line: 16, message: 'The profile is not valid UTF-8.' },
      ],
    });
    expect((await profiles()).map((profile: { externalId: string }) => profile.externalId)).toEqual(['last', 'first']);
  });

  test('accepts JSON that is nested 1,000 levels deep, and refuses only the deeper lines', async () => {
    const { putLines, profiles } = await makeWorkspace(api);
    // The line itself and "attributes" are two of the levels.
    const line = (externalId: string, levels: number) =>
      `{"externalId":"${externalId}","attributes":{"a":${'['.repeat(levels - 2)}"]"${']'.repeat(levels - 2)}}}`;
    const lines = [
      line('a', 1_000),
      line('b', 1_001),
      line('c', 8_000),
      `{"externalId":"d","name":"\\ud800","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ];
    const { status, body } = await putLines([...lines, '{"externalId":"last"}'].join('\n'));
    const message = 'The profile is nested more than 1,000 levels deep.';
    const problems = [2, 3, 4].map((number) => ({ line: number, message }));
    expect([status, body]).toEqual([200, { ...counts, upserted: 2, created: 2, rejected: 3, problems }]);
    const stored = await profiles();
    expect(stored.map(({ externalId }: { externalId: string }) => externalId)).toEqual(['last', 'a']);
    expect(JSON.stringify(stored[1].attributes)).toHaveLength(2 * 998 + '{"a":"]"}'.length);
  });

  test('refuses a line with more than 10,000 arrays, objects and fields', async () => {
    const { putLines } = await makeWorkspace(api);
    const line = (count: number) => `{"externalId":"a","x":[${Array(count - 2).fill('{}')}]}`;
    expect((await putLines(`${line(9_999)}\n${line(9_998)}`)).body).toMatchObject({
      upserted: 1,
      problems: [{ line: 1, message: 'The profile contains more than 10,000 arrays, objects and fields.' }],
    });
  });

  test('keeps every key of the attributes', async () => {
    const { putLines, base } = await makeWorkspace(api);
    const attributes = '{"__proto__":{"a":1},"constructor":2,"toString":null}';
    await putLines(`{"externalId":"a","attributes":${attributes}}`);
    const response = await fetch(new URL(`${base}/profiles`, api.server.url));
    expect(await response.text()).toContain(`"attributes":${attributes}`);
  });

  test('sets "updatedAt" on every change, even if only "lastSeenAt" changes', async () => {
    const { put, profiles } = await makeWorkspace(api);
    await put([{ externalId: 'a', lastSeenAt: '2031-03-10T09:00:00Z' }]);
    await api.call('POST', '/_control/clock', { body: { advance: '1s' } });
    expect((await put([{ externalId: 'a', lastSeenAt: '2031-03-10T09:00:00Z' }])).body).toMatchObject({ unchanged: 1 });
    expect(await profiles()).toMatchObject([{ updatedAt: NOW }]);
    expect((await put([{ externalId: 'a', lastSeenAt: '2031-03-10T10:00:00Z' }])).body).toMatchObject({ updated: 1 });
    const [profile] = await profiles();
    expect(profile).toMatchObject({ createdAt: NOW, lastSeenAt: '2031-03-10T10:00:00.000Z' });
    expect(profile.updatedAt).toBe('2031-03-10T12:00:01.000Z');
    await freezeAt(api, NOW);
  });

  test('refuses a day that the time zone skipped, and accepts it in another zone', async () => {
    const profile = { externalId: 'a', activeDays: ['2011-12-30'] };
    const { body } = await (await makeWorkspace(api, { timezone: 'Pacific/Apia' })).put([profile]);
    expect(body.problems).toEqual([
      {
        line: 1,
        message: '"activeDays" contains 2011-12-30, a day that does not exist in the workspace\'s time zone.',
      },
    ]);
    expect((await (await makeWorkspace(api)).put([profile])).body).toMatchObject({ created: 1, rejected: 0 });
  });

  test('a problem that storing a profile finds is among the first hundred, too', async () => {
    const { putLines } = await makeWorkspace(api, { timezone: 'Pacific/Apia' });
    const skipped = JSON.stringify({ externalId: 'a', activeDays: ['2011-12-30'] });
    const { body } = await putLines([skipped, ...Array<string>(120).fill('bad'), skipped].join('\n'));
    expect(body.rejected).toBe(122);
    expect(body.problems.map(({ line }: { line: number }) => line)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(body.problems[0].message).toMatch('2011-12-30');
  });

  test('reports the first 100 problems', async () => {
    const { putLines } = await makeWorkspace(api);
    const { body } = await putLines('x\n'.repeat(250));
    expect(body.rejected).toBe(250);
    expect(body.problems).toHaveLength(100);
    expect(body.problems.at(-1)).toEqual({ line: 100, message: 'The profile is not valid JSON.' });
  });

  test('imports many batches in one stream', async () => {
    const { putLines, profiles } = await makeWorkspace(api);
    const lines = Array.from({ length: 2_345 }, (_, n) => JSON.stringify({ externalId: `p${n % 2_000}` }));
    const { body } = await putLines(`${lines.join('\n')}\n`);
    expect(body).toEqual({ ...counts, upserted: 2_345, created: 2_000, unchanged: 345 });
    expect(await profiles('?limit=100')).toHaveLength(100);
  });

  test.each([
    ['an object', '{"externalId":"a"}', 'The data must be a JSON array of profiles. Nothing was imported.'],
    ['nothing', '', 'The data must be a JSON array of profiles. Nothing was imported.'],
    ['text after the array', '[] []', 'The data continues after the end of the JSON array. Nothing was imported.'],
    [
      'an array that is cut off',
      '[{"externalId":"a"},{"external',
      'The JSON array does not end: it is cut off after item 1. Profiles imported before this error: 1. Send all profiles again.',
    ],
  ])('refuses %s', async (_name, rawBody, message) => {
    const { base } = await makeWorkspace(api);
    const headers = { 'content-type': 'application/json' };
    const answer = await api.call('PUT', `${base}/profiles`, { rawBody, headers });
    expect([answer.status, answer.body]).toEqual([400, failure('VALIDATION', message)]);
  });

  test('splits an array into its items, whatever characters they contain', async () => {
    const { base } = await makeWorkspace(api);
    const rawBody =
      '\ufeff [ {"externalId":"a]","name":"\\"[{,"} , {"externalId":"b","attributes":{"x":[1,{"y":"}"}]}},7,, [] ]\n';
    const answer = await api.call('PUT', `${base}/profiles`, {
      rawBody,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.body).toEqual({
      ...counts,
      upserted: 2,
      created: 2,
      rejected: 3,
      problems: [
        { line: 3, message: 'The profile must be an object.' },
        { line: 4, message: 'The profile is not valid JSON.' },
        { line: 5, message: 'The profile must be an object.' },
      ],
    });
  });

  test('accepts an empty array and an empty stream', async () => {
    const { put, putLines } = await makeWorkspace(api);
    expect((await put([])).body).toEqual(counts);
    expect((await putLines('')).body).toEqual(counts);
    expect((await putLines('\n\n')).body).toEqual(counts);
  });

  test('refuses other content types, and workspaces that do not exist', async () => {
    const { base } = await makeWorkspace(api);
    const text = { rawBody: 'a', headers: { 'content-type': 'text/csv' } };
    expect((await api.call('PUT', `${base}/profiles`, text)).status).toBe(415);
    const packed = { rawBody: '[]', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } };
    expect((await api.call('PUT', `${base}/profiles`, packed)).status).toBe(415);
    const nowhere = await api.call('PUT', '/_control/workspaces/wsp_none/profiles', { body: [] });
    expect([nowhere.status, nowhere.body]).toEqual([404, failure('NOT_FOUND', 'No such workspace: wsp_none')]);
  });
});
