import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { assertShape, id, nothing, text, texts, time } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Profiles and evaluation');
export const profiles = statements;

const key = { as: demo.productionKey };
const path = `/workspaces/${demo.production}/profiles`;

interface Found {
  id: string;
  externalId: string;
  [field: string]: unknown;
}

const put = async (probe: Probe, items: object[]) => (await probe.control('PUT', path, items)).body;
const list = async (probe: Probe, query = '') => (await probe.control('GET', `${path}${query}`)).body.data as Found[];
const keysOf = (found: readonly Found[]) => found.map(({ externalId }) => externalId);

state(
  'profiles.shape',
  'A profile in a list has the same fields as a retrieved profile; the results of an evaluation are null before the first evaluation',
  async (probe) => {
    await put(probe, [{ externalId: 'a', name: 'Ada', attributes: { plan: 'pro' } }]);
    const [listed] = await list(probe);
    assert.ok(listed);
    assertShape(listed, {
      id: id('prf_'),
      externalId: text,
      name: text,
      email: nothing,
      attributes: texts,
      firstSeenAt: time,
      lastSeenAt: time,
      activeDays: Array.isArray,
      state: nothing,
      scores: nothing,
      signals: nothing,
      evaluatedAt: nothing,
      createdAt: time,
      updatedAt: time,
    });
    assert.deepEqual((await probe.control('GET', `${path}/${listed.id}`)).body, { profile: listed });
    assert.deepEqual(listed['activeDays'], []);
  },
);

state(
  'profiles.days',
  'Imported days and times are merged: days are unique and ascending, firstSeenAt can only become earlier, and lastSeenAt can only become later',
  async (probe) => {
    await put(probe, [{ externalId: 'a', activeDays: ['2026-03-02', '2026-03-01', '2026-03-02'] }]);
    await put(probe, [{ externalId: 'a', firstSeenAt: '2026-01-05T12:00:00Z', lastSeenAt: '2026-02-01T12:00:00Z' }]);
    await put(probe, [{ externalId: 'a', lastSeenAt: '2026-03-05T12:00:00Z' }]);
    const [found] = await list(probe);
    const days = ['2026-01-05', '2026-02-01', '2026-03-01', '2026-03-02', '2026-03-05'];
    assert.deepEqual(found?.['activeDays'], days);
    assert.deepEqual(
      [found?.['firstSeenAt'], found?.['lastSeenAt']],
      ['2026-01-05T12:00:00.000Z', '2026-03-05T12:00:00.000Z'],
    );
    const refused = await put(probe, [{ externalId: 'a', activeDays: ['2026-02-30'] }]);
    assert.deepEqual([refused.rejected, refused.upserted], [1, 0]);
  },
);

state(
  'profiles.problems',
  'The response to an import counts all rejected lines, and lists the first hundred of them',
  async (probe) => {
    const items = Array.from({ length: 150 }, (_, n) => (n === 9 ? { externalId: 'a' } : { externalId: '' }));
    const { upserted, rejected, problems } = await put(probe, items);
    assert.deepEqual([upserted, rejected, problems.length], [1, 149, 100]);
    assert.deepEqual([problems[0].line, problems[9].line, problems.at(-1).line], [1, 11, 101]);
  },
);

state(
  'profiles.list',
  'Profiles are listed by last-seen time, latest first, and can be filtered by state and by words',
  async (probe) => {
    await put(probe, [
      { externalId: 'old', name: 'Ada', activeDays: ['2020-01-01'] },
      { externalId: 'latest', name: 'Grace', lastSeenAt: new Date().toISOString() },
      { externalId: 'older', name: 'Adalbert', activeDays: ['2019-01-01'] },
    ]);
    assert.deepEqual(keysOf(await list(probe)), ['latest', 'old', 'older']);
    assert.deepEqual(keysOf(await list(probe, '?q=ADA')), ['old', 'older']);
    await probe.control('POST', `/workspaces/${demo.production}/evaluate`);
    assert.deepEqual(keysOf(await list(probe, '?state=churned&q=adalbert')), ['older']);
    assert.equal((await probe.control('GET', `${path}?state=lost`)).status, 400);
  },
);

state('profiles.delete', 'A deleted profile cannot be found, and its external id can be used again', async (probe) => {
  await put(probe, [{ externalId: 'a', name: 'Ada' }]);
  const [first] = await list(probe);
  const one = `${path}/${first?.id}`;
  assert.deepEqual((await probe.control('DELETE', one)).body, { ok: true });
  assert.equal((await probe.control('GET', one)).status, 404);
  assert.deepEqual((await probe.call('GET', '/v1/search?q=ada', key)).body.data, []);
  assert.equal((await put(probe, [{ externalId: 'a' }])).created, 1);
  assert.notEqual((await list(probe))[0]?.id, first?.id);
});

state(
  'profiles.search-ranks',
  'A search covers one workspace; hits that match a whole field come first, then hits that match whole words, then hits that match prefixes; within each of these groups, the newest hit comes first',
  async (probe) => {
    const names = ['Adalbert', 'Ada Lovelace', 'Ada', 'Adaline', 'Ada Byron'];
    await put(
      probe,
      names.map((name, n) => ({ externalId: `u${n}`, name })),
    );
    await probe.control('PUT', `/workspaces/${demo.staging}/profiles`, [{ externalId: 'x', name: 'Ada' }]);
    const search = async (as: string) => {
      const { data } = (await probe.call('GET', '/v1/search?q=ada&type=profile', { as })).body;
      return data.map(({ title }: { title: string }) => title);
    };
    assert.deepEqual(await search(demo.productionKey), ['Ada', 'Ada Byron', 'Ada Lovelace', 'Adaline', 'Adalbert']);
    assert.deepEqual(await search(demo.stagingKey), ['Ada']);
  },
);
