import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { assertShape, id, integer, listOf, nothing, oneOf, texts, time } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Profiles and evaluation');
export const evaluations = statements;

const key = { as: demo.productionKey };
const base = `/workspaces/${demo.production}`;

const put = (probe: Probe, profiles: object[]) => probe.control('PUT', `${base}/profiles`, profiles);
const evaluate = async (probe: Probe) => (await probe.control('POST', `${base}/evaluate`)).body;
const listed = async (probe: Probe) => (await probe.control('GET', `${base}/evaluations?limit=100`)).body.data;

/** A Wednesday at noon. Weeks begin on Monday. */
const NOON = '2031-03-12T12:00:00.000Z';
const dayBefore = (days: number) => new Date(Date.parse(NOON) - days * 86_400_000).toISOString().slice(0, 10);

async function standAtNoon(probe: Probe): Promise<void> {
  await probe.call('PATCH', `/v1/workspaces/${demo.production}`, {
    ...key,
    body: { timezone: 'UTC', weekStartsOn: 1 },
  });
  await probe.freeze();
  await probe.control('POST', '/clock', { set: NOON });
}

const found = async (probe: Probe, externalId: string) => {
  const { data } = (await probe.control('GET', `${base}/profiles?q=${externalId}`)).body;
  return data[0];
};

state(
  'evaluation.shape',
  'An evaluation reports how many profiles the workspace has, how many profiles changed, and which state transitions occurred',
  async (probe) => {
    await put(probe, [{ externalId: 'a' }]);
    const { evaluation } = await evaluate(probe);
    assertShape(evaluation, {
      id: id('evl_'),
      workspaceId: oneOf(demo.production),
      eventId: id('evt_'),
      trigger: oneOf('request'),
      startedAt: time,
      finishedAt: time,
      profiles: integer,
      changed: integer,
      states: (states) => !texts(states) && Object.values(states as object).every(integer),
      transitions: listOf((transition) => typeof transition === 'object'),
      syncError: nothing,
    });
    assert.deepEqual(await listed(probe), [evaluation]);
  },
);

state(
  'evaluation.signals',
  'Signals count active days by the workspace’s calendar, and scores are computed from these signals',
  async (probe) => {
    await standAtNoon(probe);
    const activeDays = ['2031-02-20', '2031-03-03', '2031-03-04', '2031-03-05', '2031-03-07', '2031-03-11'];
    await put(probe, [{ externalId: 'a', activeDays }]);
    await evaluate(probe);
    const { signals, scores, state, evaluatedAt } = await found(probe, 'a');
    assert.deepEqual(signals, {
      daysSinceLastSeen: 1,
      daysSinceFirstSeen: 20,
      activeDaysLast7: 2,
      activeDaysLast28: 6,
      activeDaysThisWeek: 1,
      activeDaysLastWeek: 4,
      weekOverWeek: -2,
    });
    assert.deepEqual([scores, state, evaluatedAt], [{ engagement: 44, churnRisk: 9 }, 'at_risk', NOON]);
  },
);

state(
  'evaluation.states',
  'The limits of each state are fixed numbers of days, and a profile gets the first state that matches',
  async (probe) => {
    await standAtNoon(probe);
    const expected = {
      6: 'new',
      7: 'active',
      13: 'active',
      14: 'at_risk',
      27: 'at_risk',
      28: 'dormant',
      89: 'dormant',
      90: 'churned',
    };
    await put(
      probe,
      Object.keys(expected).map((days) => ({ externalId: `seen${days}`, activeDays: [dayBefore(Number(days))] })),
    );
    const { evaluation } = await evaluate(probe);
    for (const [days, state] of Object.entries(expected)) {
      assert.equal((await found(probe, `seen${days}`)).state, state, `${days} days ago`);
    }
    assert.deepEqual(evaluation.states, { new: 1, active: 2, at_risk: 2, dormant: 2, churned: 1 });
  },
);

state(
  'evaluation.transitions',
  'A profile’s first transition is from null, and each later transition is from the previous state',
  async (probe) => {
    await standAtNoon(probe);
    await put(probe, [{ externalId: 'a', activeDays: [dayBefore(0)] }]);
    const { evaluation } = await evaluate(probe);
    assert.deepEqual(evaluation.transitions, [{ from: null, to: 'new', profiles: 1 }]);
    await probe.advance('14d');
    const moved = (await listed(probe)).flatMap(({ transitions }: { transitions: object[] }) => transitions);
    assert.deepEqual(moved, [
      { from: 'active', to: 'at_risk', profiles: 1 },
      { from: 'new', to: 'active', profiles: 1 },
      { from: null, to: 'new', profiles: 1 },
    ]);
  },
);

state(
  'evaluation.calendar',
  'Changing the time zone or the first day of the week triggers an evaluation at once',
  async (probe) => {
    await standAtNoon(probe);
    await put(probe, [{ externalId: 'a' }]);
    for (const body of [{ timezone: 'Asia/Kathmandu' }, { weekStartsOn: 6 }]) {
      const before = (await listed(probe)).length;
      await probe.call('PATCH', `/v1/workspaces/${demo.production}`, { ...key, body });
      await probe.settle();
      const [latest, ...others] = await listed(probe);
      assert.deepEqual([latest?.trigger, latest?.startedAt, others.length], ['calendar', NOON, before]);
    }
    const { nextEvaluationAt } = (await probe.control('GET', `${base}/schedule`)).body;
    assert.equal(nextEvaluationAt, '2031-03-12T18:15:00.000Z');
  },
);

state(
  'evaluation.event',
  'Each evaluation creates and delivers exactly one event, whose subject is the workspace',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    await put(probe, [{ externalId: 'a' }]);
    const { evaluation, event } = await evaluate(probe);
    const url = `/v1/workspaces/${demo.production}`;
    assert.deepEqual(event.subject, { id: demo.production, type: 'workspace', url });
    assert.deepEqual([event.id, event.type], [evaluation.eventId, 'lifecycle.evaluated']);
    await probe.settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body)),
      [event],
    );
    assert.equal((await probe.call('GET', '/v1/events?type=lifecycle.evaluated', key)).body.data.length, 1);
  },
);

state(
  'evaluation.failed-sync',
  'If a data source cannot be read, the sync reports the error, and the stored profiles remain',
  async (probe) => {
    await put(probe, [{ externalId: 'a' }]);
    const path = `${base}/data-source`;
    const source = { kind: 'ndjson', location: '/no/such/file.ndjson', schedule: '1h' };
    assert.equal((await probe.control('PUT', path, source)).status, 200);
    const { status, body } = await probe.control('POST', `${path}/sync`);
    assert.deepEqual([status, body.sync.upserted, body.sync.rejected], [200, 0, 0]);
    assert.match(body.sync.error, /file\.ndjson/);
    const { lastSync, nextSyncAt, ...set } = (await probe.control('GET', path)).body.dataSource;
    assert.deepEqual([lastSync, set], [body.sync, source]);
    assert.equal(Date.parse(nextSyncAt) - Date.parse(lastSync.startedAt), 3_600_000);
    assert.equal((await evaluate(probe)).evaluation.profiles, 1);
  },
);
