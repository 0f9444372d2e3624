import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from '@svc/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_RECORDS } from '../../../src/lifecycle/import-profiles.ts';
import { READ_MAX_MS } from '../../../src/lifecycle/open-source.ts';
import { failure, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { freezeAt, makeWorkspace } from '../../support/http/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-source-'));
const seed = { organizations: [{ id: demo.acmeId, slug: 'acme', name: 'Acme' }] };
let api: TestApi;
let answer: (response: ServerResponse, path: string) => void = (response) => response.end();
const source = createServer((request, response) => answer(response, request.url ?? ''));
const DAY_MS = 86_400_000;
const unknownIssuer = createCertificate({
  name: 'localhost',
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + DAY_MS),
});
const secure = createSecureServer(unknownIssuer, (_request, response) => response.end('{"externalId":"b"}'));
let url: string;
let secureUrl: string;
beforeAll(async () => {
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  secureUrl = `https://localhost:${(secure.address() as AddressInfo).port}/`;
  api = await startApi({ seed });
  await once(source.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  await api.call('POST', '/_control/reset', { body: {} });
  await freezeAt(api, '2031-03-10T12:00:00.000Z');
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  for (const server of [source, secure]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const pipe = (name: string) => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
};

async function withSource(location: string, schedule: string | null = null) {
  const workspace = await makeWorkspace(api);
  const path = `${workspace.base}/data-source`;
  const set = await api.call('PUT', path, { body: { kind: 'ndjson', location, schedule } });
  return {
    ...workspace,
    set,
    read: async () => (await api.call('GET', path)).body.dataSource,
    sync: () => api.call('POST', `${path}/sync`),
  };
}

const at = '2031-03-10T12:00:00.000Z';
const sync = { startedAt: at, finishedAt: at, upserted: 0, rejected: 0, problems: [], error: null };

describe('A data source', () => {
  test('is push by default, which has nothing to sync', async () => {
    const { base } = await makeWorkspace(api);
    const shown = { dataSource: { kind: 'push', lastSync: null, nextSyncAt: null } };
    expect((await api.call('GET', `${base}/data-source`)).body).toEqual(shown);
    const refused = await api.call('POST', `${base}/data-source/sync`);
    const message = 'Callers push the profiles of this workspace, so there is no data source to read.';
    expect([refused.status, refused.body]).toEqual([409, failure('CONFLICT', message)]);
    expect((await api.call('PUT', `${base}/data-source`, { body: { kind: 'push' } })).body).toEqual(shown);
  });

  test('can be a file, which is read on request', async () => {
    const location = file('some.ndjson', '{"externalId":"a"}\nnonsense\n{"externalId":"b"}');
    const { set, sync: run, read, profiles } = await withSource(location);
    const shown = { kind: 'ndjson', location, schedule: null, lastSync: null, nextSyncAt: null };
    expect([set.status, set.body.dataSource]).toEqual([200, shown]);
    const problems = [{ line: 2, message: 'The profile is not valid JSON.' }];
    const done = { ...sync, upserted: 2, rejected: 1, problems };
    expect((await run()).body).toEqual({ sync: done });
    expect(await read()).toEqual({ ...shown, lastSync: done });
    expect(await profiles()).toHaveLength(2);
  });

  test('can be a URL that returns NDJSON or a JSON array, and may redirect', async () => {
    answer = (response, path) => {
      if (path === '/moved') response.writeHead(302, { location: '/profiles' }).end();
      else response.setHeader('content-type', 'application/json').end('[{"externalId":"a"},{"externalId":"b"}]');
    };
    const { sync: run } = await withSource(`${url}/moved`);
    expect((await run()).body.sync).toEqual({ ...sync, upserted: 2 });
    answer = (response) => response.end('{"externalId":"c"}\n');
    expect((await run()).body.sync).toEqual({ ...sync, upserted: 1 });
  });

  test.each([
    ['a missing file', () => join(folder, 'none'), /^Cannot read .*none: it does not exist\.$/],
    ['a folder', () => folder, / is not a file\.$/],
    ['a named pipe without a writer', () => pipe('pipe.ndjson'), /pipe\.ndjson is not a file\.$/],
    ['a server with a self-signed certificate', () => secureUrl, /^Cannot read https:.*: self-signed certificate/],
    ['a device that never ends', () => '/dev/zero', /^\/dev\/zero is not a file\.$/],
    ['a URL that responds with 404', () => `${url}/404`, /\/404: it responded with HTTP 404\.$/],
    [
      'a redirect to a private address',
      () => `${url}/private`,
      /^Cannot read https:\/\/10\.0\.0\.1\/: the address must not be/,
    ],
    ['a redirect loop', () => `${url}/circle`, /: it redirects more than 5 times\.$/],
    ['a response that is cut off', () => `${url}/cut`, /^Cannot read .* to its end: /],
    ['a port where nothing listens', () => 'http://127.0.0.1:9/', /: connection refused\.$/],
    ['an array that is cut off', () => file('broken.json', '[{"externalId":"b"},{'), /^The JSON array does not end/],
  ])('%s ends the sync with an error, and stored profiles stay', async (_name, location, error) => {
    answer = (response, path) => {
      if (path === '/private') response.writeHead(302, { location: 'https://10.0.0.1/' }).end();
      else if (path === '/circle') response.writeHead(302, { location: '/circle' }).end();
      else if (path === '/cut') {
        response.writeHead(200, { 'content-length': '1000' }).write('{"externalId":"b"}\n{"exter');
        setImmediate(() => response.destroy());
      } else response.writeHead(404).end();
    };
    const { put, sync: run, read, profiles } = await withSource(location());
    await put([{ externalId: 'a' }]);
    const { status, body } = await run();
    expect(status).toBe(200);
    expect(body.sync.error).toMatch(error);
    expect((await read()).lastSync).toEqual(body.sync);
    expect(await profiles('?q=a')).toMatchObject([{ externalId: 'a' }]);
  });

  test.each([
    [{ kind: 'csv' }, '"kind" must be one of push, ndjson'],
    [{ kind: 'ndjson' }, '"location" is missing; it must be a string'],
    [{ kind: 'ndjson', location: 'some.ndjson' }, '"location" must be an https URL or the absolute path of a file'],
    [{ kind: 'ndjson', location: 'https://10.0.0.1/' }, '"location" must not be a private or reserved address'],
    [
      { kind: 'ndjson', location: 'ftp://a.test/' },
      '"location" must be an absolute https URL; http is allowed only for loopback receivers',
    ],
    [{ kind: 'ndjson', location: 'https://u:p@a.test/' }, '"location" must not contain a user name or password'],
    [
      { kind: 'ndjson', location: '/x', schedule: '5 minutes' },
      '"schedule" must be a duration of 1 minute to 366 days, such as PT1H, 30m or 1d, or null',
    ],
    [
      { kind: 'ndjson', location: '/x', schedule: '8785h' },
      '"schedule" must be a duration of 1 minute to 366 days, such as PT1H, 30m or 1d, or null',
    ],
    [
      { kind: 'ndjson', location: '/x', schedule: '59s' },
      '"schedule" must be a duration of 1 minute to 366 days, such as PT1H, 30m or 1d, or null',
    ],
  ])('%j is refused', async (body, problem) => {
    const { base } = await makeWorkspace(api);
    const { status, body: error } = await api.call('PUT', `${base}/data-source`, { body });
    expect([status, error]).toEqual([400, failure('VALIDATION', `Invalid body: ${problem}.`)]);
  });

  test('is not read further once it was changed, and the result does not count for the new source', async () => {
    const lines = (from: number) =>
      Array.from({ length: BATCH_RECORDS }, (_, index) => `{"externalId":"p${from + index}"}\n`).join('');
    const opened = Promise.withResolvers<ServerResponse>();
    answer = (response) => {
      response.write(lines(0));
      opened.resolve(response);
    };
    const { base, sync: run, profiles, read } = await withSource(`${url}/changed.ndjson`);
    const running = run();
    const response = await opened.promise;
    await vi.waitFor(async () => expect(await profiles()).not.toHaveLength(0));
    await api.call('PUT', `${base}/data-source`, { body: { kind: 'push' } });
    response.end(lines(BATCH_RECORDS));
    expect((await running).body.sync).toMatchObject({
      upserted: BATCH_RECORDS,
      error: `The data source was changed while the server was reading it. Profiles imported before this error: ${BATCH_RECORDS}. Send all profiles again.`,
    });
    expect(await read()).toEqual({ kind: 'push', lastSync: null, nextSyncAt: null });
    expect((await api.call('GET', `${base}/profiles?q=p${BATCH_RECORDS}`)).body.data).toEqual([]);
  });

  test('is not waited for once it was changed, even if it sends nothing', async () => {
    const opened = Promise.withResolvers<ServerResponse>();
    answer = (response) => {
      response.write('{"externalId":"first"}');
      opened.resolve(response);
    };
    const { base, sync: run, read } = await withSource(`${url}/silent.ndjson`);
    const running = run();
    const response = await opened.promise;
    await api.call('PUT', `${base}/data-source`, { body: { kind: 'push' } });
    expect((await running).body.sync).toMatchObject({
      upserted: 0,
      error: 'The data source was changed while the server was reading it. Nothing was imported.',
    });
    await vi.waitFor(() => expect(response.closed).toBe(true));
    expect(await read()).toEqual({ kind: 'push', lastSync: null, nextSyncAt: null });
  });

  test('is read at each scheduled time, even if the clock moves past several of them', async () => {
    const location = file('hourly.ndjson', '{"externalId":"a"}');
    const { set, read, schedule, profiles } = await withSource(location, '1h');
    expect(set.body.dataSource.nextSyncAt).toBe('2031-03-10T13:00:00.000Z');
    await api.call('POST', '/_control/clock', { body: { set: '2031-03-10T12:59:59.999Z' } });
    expect(await profiles()).toEqual([]);
    await api.call('POST', '/_control/clock', { body: { set: '2031-03-10T15:30:00.000Z' } });
    expect(await read()).toMatchObject({
      lastSync: { startedAt: '2031-03-10T15:00:00.000Z', upserted: 1 },
      nextSyncAt: '2031-03-10T16:00:00.000Z',
    });
    expect(await profiles()).toMatchObject([{ createdAt: '2031-03-10T13:00:00.000Z' }]);
    expect(await schedule()).toEqual({
      nextEvaluationAt: '2031-03-11T00:00:00.000Z',
      nextSyncAt: '2031-03-10T16:00:00.000Z',
    });
  });

  test('is read before an evaluation if it is due, and the evaluation says if that failed', async () => {
    const location = file('daily.ndjson', '{"externalId":"a"}');
    const { put, evaluations, schedule } = await withSource(location, '12h');
    await put([{ externalId: 'b' }]);
    await api.call('POST', '/_control/clock', { body: { set: '2031-03-11T00:00:00.000Z' } });
    expect(await evaluations()).toMatchObject([{ profiles: 2, syncError: null }]);
    expect(await schedule()).toEqual({
      nextEvaluationAt: '2031-03-12T00:00:00.000Z',
      nextSyncAt: '2031-03-11T12:00:00.000Z',
    });
    rmSync(location);
    await api.call('POST', '/_control/clock', { body: { set: '2031-03-12T00:00:00.000Z' } });
    const [latest] = await evaluations();
    expect(latest).toMatchObject({ profiles: 2, syncError: `Cannot read ${location}: it does not exist.` });
  });
});

describe('Sources that never end', () => {
  afterEach(() => vi.restoreAllMocks());

  /** One source more than a server reads at a time. */
  const COUNT = 9;
  let open: Set<ServerResponse>;
  beforeEach(() => {
    open = new Set();
    answer = (response) => {
      const dripping = setInterval(() => response.write('\n'), 1_000);
      response.on('close', () => {
        clearInterval(dripping);
        open.delete(response);
      });
      response.write('{"externalId":"a"}\n');
      open.add(response);
    };
  });

  /** Moves the clock to when all endless sources and the evaluation of another workspace are due. */
  async function moveWithSources() {
    const sources = [];
    for (let count = 0; count < COUNT; count++) sources.push(await withSource(`${url}/endless`, '12h'));
    const other = await makeWorkspace(api);
    await other.put([{ externalId: 'b' }]);
    const moving = api.call('POST', '/_control/clock', { body: { set: '2031-03-11T00:00:00.000Z' } });
    return { sources, other, moving };
  }

  test('do not stop the evaluations of other workspaces', async () => {
    const { other, moving } = await moveWithSources();
    await vi.waitFor(() => expect(open.size).toBe(8));
    await vi.waitFor(async () => expect(await other.evaluations()).toMatchObject([{ profiles: 1 }]));
    expect(open.size).toBe(8);
    answer = (response) => response.end();
    for (const response of open) response.end();
    expect((await moving).status).toBe(200);
  });

  test('are given up, so that the move of the clock ends', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === READ_MAX_MS ? 100 : ms));
    const { sources, other, moving } = await moveWithSources();
    expect((await moving).status).toBe(200);
    expect(await other.evaluations()).toMatchObject([{ trigger: 'schedule', profiles: 1 }]);
    // On a busy machine, even the head of the response may come too late.
    const error = expect.stringMatching(/\/endless(?: to its end)?: it took longer than ten minutes\./);
    for (const { read } of sources) expect((await read()).lastSync).toMatchObject({ error });
    expect(open.size).toBe(0);
  });

  test('hold up a move of the clock once, even if they are scheduled often', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === READ_MAX_MS ? 100 : ms));
    let requests = 0;
    const drip = answer;
    answer = (response, path) => {
      if (path === '/often') requests++;
      drip(response, path);
    };
    const { read } = await withSource(`${url}/often`, '1m');
    const moved = await api.call('POST', '/_control/clock', { body: { advance: '1d' } });
    expect(moved.status).toBe(200);
    expect(requests).toBe(1);
    const { lastSync, nextSyncAt } = await read();
    expect(lastSync.error).toContain('it took longer than ten minutes');
    expect(Date.parse(nextSyncAt) - Date.parse(moved.body.now)).toBeLessThanOrEqual(60_000);
    expect(Date.parse(nextSyncAt)).toBeGreaterThan(Date.parse(moved.body.now));
  });

  test('hold up a move of the clock for ten minutes in total, even if each read ends in time', async () => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let requests = 0;
    answer = (response) => {
      requests++;
      now += 0.4 * READ_MAX_MS;
      response.end('{"externalId":"a"}\n');
    };
    const { read } = await withSource(`${url}/late`, '1m');
    const advance = () => api.call('POST', '/_control/clock', { body: { advance: '1d' } });
    expect((await advance()).status).toBe(200);
    expect(requests).toBe(3);
    expect((await read()).lastSync).toMatchObject({ upserted: 1, error: null });
    // The next move begins anew.
    await advance();
    expect(requests).toBe(6);
  });

  test('but answer in time are read each time while the clock moves', async () => {
    let requests = 0;
    answer = (response, path) => {
      if (path === '/quick') requests++;
      response.end('{"externalId":"a"}\n');
    };
    await withSource(`${url}/quick`, '1m');
    await api.call('POST', '/_control/clock', { body: { advance: '5m' } });
    expect(requests).toBe(5);
  });
});

describe('In the strict profile', () => {
  test('files and loopback URLs are refused', async () => {
    await using strict = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN, seed });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    const put = async (location: string) => {
      const made = await strict.call('POST', '/_control/workspaces', {
        headers,
        body: { organizationId: demo.acmeId, name: 'W' },
      });
      const path = `/_control/workspaces/${made.body.workspace.id}/data-source`;
      return (await strict.call('PUT', path, { headers, body: { kind: 'ndjson', location } })).body;
    };
    expect(await put('/etc/hosts')).toEqual(
      failure('VALIDATION', 'Invalid body: "location" must be an https URL: the strict profile does not read files.'),
    );
    expect(await put('http://127.0.0.1/')).toEqual(
      failure('VALIDATION', 'Invalid body: "location" must be an absolute https URL.'),
    );
  });
});
