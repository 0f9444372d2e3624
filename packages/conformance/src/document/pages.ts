import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('document', 'List envelope');
export const pages = statements;

const key = { as: demo.productionKey };

interface Page {
  data: { id?: string; type: string }[];
  nextPageUrl: string | null;
  previousPageUrl: string | null;
}

/** Creates enough data for several pages of each list. */
async function fill(probe: Probe): Promise<void> {
  for (let count = 0; count < 5; count++) {
    const { id } = await probe.endpoint(`https://receiver.test/${count}`);
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
  }
  await probe.event();
  await probe.control('POST', '/events', {
    events: Array(6).fill({ workspaceId: demo.production, type: 'lifecycle.evaluated' }),
  });
}

const LISTS = [
  ['/v1/events', { type: 'lifecycle.evaluated', subjectType: 'workspace', subjectId: demo.production }],
  [
    '/v1/webhooks/deliveries',
    {
      status: 'disabled',
      eventType: 'lifecycle.evaluated',
      createdFrom: '2020-01-01T00:00:00+02:00',
      createdTo: '2999-01-01T00:00:00Z',
    },
  ],
  ['/v1/search', { q: 'receiver test', type: 'webhook_endpoint' }],
  ['/v1/webhooks/event-types', {}],
  ['/v1/webhooks/endpoints/event-types', {}],
] as const;

const read = async (probe: Probe, url: string): Promise<Page> => {
  const { status, body, text } = await probe.call('GET', url, key);
  assert.equal(status, 200, `${url}: ${text}`);
  return body;
};
const keys = (page: Page) => page.data.map(({ id, type }) => id ?? type);

for (const [list, filters] of LISTS) {
  const name = list.slice('/v1/'.length).replaceAll('/', '-');

  state(
    `pages.walk-${name}`,
    `Following the page URLs of ${list} in either direction returns every row once, in list order; the previous URL of the first page and the next URL of the last page are null`,
    async (probe) => {
      await fill(probe);
      const whole = await read(probe, `${list}?${new URLSearchParams({ ...filters, limit: '100' })}`);
      assert.deepEqual([whole.nextPageUrl, whole.previousPageUrl], [null, null]);
      assert.ok(whole.data.length >= 3);
      const walked = [await read(probe, `${list}?${new URLSearchParams({ ...filters, limit: '2' })}`)];
      for (let last = walked[0]; last?.nextPageUrl != null; last = walked.at(-1)) {
        walked.push(await read(probe, last.nextPageUrl));
      }
      assert.deepEqual(
        walked.flatMap(({ data }) => data),
        whole.data,
      );
      assert.deepEqual(
        walked.map(({ previousPageUrl }) => previousPageUrl === null),
        walked.map((_page, index) => index === 0),
      );
      const back = [walked.at(-1) as Page];
      for (let first = back[0]; first?.previousPageUrl != null; first = back[0]) {
        back.unshift(await read(probe, first.previousPageUrl));
      }
      assert.deepEqual(
        back.flatMap(({ data }) => data),
        whole.data,
      );
      assert.equal(back.length, walked.length);
    },
  );

  state(
    `pages.urls-${name}`,
    `Both page URLs of ${list} are absolute and contain the opaque cursor, limit and every filter parameter`,
    async (probe) => {
      await fill(probe);
      const first = await read(probe, `${list}?${new URLSearchParams({ ...filters, limit: '1' })}`);
      const { previousPageUrl } = await read(probe, String(first.nextPageUrl));
      for (const url of [first.nextPageUrl, previousPageUrl]) {
        const { pathname, searchParams } = new URL(String(url));
        const { page, ...others } = Object.fromEntries(searchParams);
        assert.ok(page);
        assert.deepEqual([pathname, others], [list, { ...filters, limit: '1' }]);
      }
    },
  );
}

state(
  'pages.newest-first',
  'Events, deliveries, endpoints, workspaces and organizations are listed newest first',
  async (probe) => {
    const userId = userOf(demo.owner);
    await fill(probe);
    for (const name of ['One', 'Two']) {
      const { organization } = (await probe.control('POST', '/organizations', { name })).body;
      await probe.control('PUT', `/organizations/${organization.id}/members/${userId}`, { role: 'Viewer' });
      await probe.control('POST', '/workspaces', { organizationId: organization.id, name });
    }
    const list = async (path: string, as: string) => (await probe.call('GET', path, { as })).body.data;
    for (const [path, time, count] of [
      ['/v1/events?limit=100', 'created', 7],
      ['/v1/webhooks/deliveries?limit=100', 'createdAt', 35],
    ] as const) {
      const times = (await list(path, demo.productionKey)).map((row: Record<string, string>) => row[time]);
      assert.deepEqual(times, times.toSorted().reverse(), path);
      assert.equal(times.length, count, path);
    }
    const endpoints = await list('/v1/webhooks/endpoints', demo.productionKey);
    assert.deepEqual(
      endpoints.map(({ url }: { url: string }) => url.at(-1)),
      ['4', '3', '2', '1', '0'],
    );
    for (const path of ['/v1/workspaces', '/v1/organizations']) {
      const names = (await list(path, demo.owner)).map(({ name }: { name: string }) => name);
      assert.deepEqual(names.slice(0, 2), ['Two', 'One'], path);
    }
  },
);

const finding = async (probe: Probe) => {
  const endpoints = [];
  for (let count = 0; count < 6; count++) endpoints.push(await probe.endpoint('https://needle.test/'));
  const ids = endpoints.map(({ id }) => id).reverse();
  const remove = (id: string | undefined) => probe.call('DELETE', `/v1/webhooks/endpoints/${id}`, key);
  return { ids, remove, first: await read(probe, '/v1/search?q=needle&limit=2') };
};

state(
  'pages.inserted-and-deleted',
  'Rows inserted after a cursor appear on later pages, and deleted rows are skipped; page boundaries do not shift',
  async (probe) => {
    // Use the search, because the search is the only list whose rows can be deleted. Results that match only the
    // beginning of a word come last, so the inserted endpoint is on the last page.
    const { ids, remove, first } = await finding(probe);
    assert.deepEqual(keys(first), ids.slice(0, 2));
    await remove(ids[0]);
    await remove(ids[1]);
    await remove(ids[3]);
    const inserted = await probe.endpoint('https://needles.test/');
    const second = await read(probe, String(first.nextPageUrl));
    assert.deepEqual(keys(second), [ids[2], ids[4]]);
    const third = await read(probe, String(second.nextPageUrl));
    assert.deepEqual([keys(third), third.nextPageUrl], [[ids[5], inserted.id], null]);
  },
  'key',
);

state(
  'pages.previous-gone',
  'previousPageUrl is null if all earlier rows have been deleted, and nextPageUrl is null if all later rows have been deleted',
  async (probe) => {
    const { ids, remove, first } = await finding(probe);
    const before = await read(probe, String(first.nextPageUrl));
    assert.ok(before.previousPageUrl !== null && before.nextPageUrl !== null);
    for (const id of [ids[0], ids[1], ids[4], ids[5]]) await remove(id);
    const after = await read(probe, String(first.nextPageUrl));
    assert.deepEqual([keys(after), after.previousPageUrl, after.nextPageUrl], [ids.slice(2, 4), null, null]);
  },
  'key',
);

state(
  'pages.new-rows-before',
  'A client that follows previousPageUrl from a later page also gets the rows that were inserted before the first page',
  async (probe) => {
    await fill(probe);
    const first = await read(probe, '/v1/events?limit=3');
    const { event } = await probe.event();
    const second = await read(probe, String(first.nextPageUrl));
    const back = await read(probe, String(second.previousPageUrl));
    assert.deepEqual(back.data, first.data);
    assert.deepEqual(keys(await read(probe, String(back.previousPageUrl))), [event.id]);
  },
);
