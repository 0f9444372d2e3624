import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Profiles and evaluation');
export const lifecycle = statements;

const key = { as: demo.productionKey };
const base = `/workspaces/${demo.production}`;

const put = async (probe: Probe, profiles: object[]) =>
  (await probe.control('PUT', `${base}/profiles`, profiles)).body as Record<string, unknown>;
const evaluations = async (probe: Probe) => (await probe.control('GET', `${base}/evaluations?limit=100`)).body.data;

state(
  'lifecycle.import',
  'An import upserts profiles by external id, from JSON or NDJSON; invalid lines are counted and skipped',
  async (probe) => {
    const counts = { upserted: 2, created: 2, updated: 0, unchanged: 0, rejected: 0, problems: [] };
    assert.deepEqual(await put(probe, [{ externalId: 'a', name: 'Ada' }, { externalId: 'b' }]), counts);
    const lines = '{"externalId":"a","email":"ada@a.test"}\n{"externalId":"b"}\nnonsense\n';
    const ndjson = { 'content-type': 'application/x-ndjson' };
    const { status, body } = await probe.control('PUT', `${base}/profiles`, lines, ndjson);
    assert.equal(status, 200);
    assert.deepEqual([body.updated, body.unchanged, body.rejected], [1, 1, 1]);
    assert.equal(body.problems[0].line, 3);
    const { data } = (await probe.control('GET', `${base}/profiles?q=ada`)).body;
    assert.deepEqual([data[0].name, data[0].email, data[0].state], ['Ada', 'ada@a.test', null]);
  },
);

state(
  'lifecycle.search',
  'Search finds profiles by name, email and external id; url is null in hits for profiles',
  async (probe) => {
    await put(probe, [
      { externalId: 'key-7', name: 'Zoë Weiß' },
      { externalId: 'key-8', email: 'zoe@weiss.test' },
    ]);
    const search = async (q: string) =>
      (await probe.call('GET', `/v1/search?type=profile&q=${encodeURIComponent(q)}`, key)).body.data;
    assert.deepEqual(
      (await search('zoe weiss')).map(({ title, snippet, url }: Record<string, unknown>) => [title, snippet, url]),
      [
        ['Zoë Weiß', 'Zoë Weiß', null],
        ['zoe@weiss.test', 'zoe@weiss.test', null],
      ],
    );
    assert.deepEqual((await search('key-7')).length, 1);
    assert.deepEqual(await search('!'), []);
  },
);

state(
  'lifecycle.evaluated',
  'An evaluation measures every profile, then creates lifecycle.evaluated; repeating the evaluation changes nothing',
  async (probe) => {
    await put(probe, [{ externalId: 'a' }, { externalId: 'b', activeDays: ['2020-01-01'] }]);
    const { status, body } = await probe.control('POST', `${base}/evaluate`);
    assert.equal(status, 200);
    const { evaluation, event } = body;
    assert.deepEqual(evaluation.states, { new: 1, active: 0, at_risk: 0, dormant: 0, churned: 1 });
    assert.deepEqual([evaluation.profiles, evaluation.changed, evaluation.trigger], [2, 2, 'request']);
    assert.deepEqual((await probe.call('GET', `/v1/events/${event.id}`, key)).body, event);
    const again = (await probe.control('POST', `${base}/evaluate`)).body.evaluation;
    assert.deepEqual([again.changed, again.transitions], [0, []]);
    assert.deepEqual(await evaluations(probe), [again, evaluation]);
  },
);

state(
  'lifecycle.midnight',
  'A workspace with profiles is evaluated at each midnight of its time zone; a workspace without profiles is not evaluated',
  async (probe) => {
    await probe.freeze();
    assert.equal((await probe.advance('2d')).evaluations, 0);
    await put(probe, [{ externalId: 'a' }]);
    const { nextEvaluationAt } = (await probe.control('GET', `${base}/schedule`)).body;
    assert.equal((await probe.advance('3d')).evaluations, 3);
    const times = (await evaluations(probe)).map(({ startedAt }: { startedAt: string }) => startedAt);
    assert.equal(times.at(-1), nextEvaluationAt);
  },
);

state(
  'lifecycle.data-source',
  'Until a data source is set, profiles arrive only through import requests, and a sync returns 409; setting a source at a private address returns 400',
  async (probe) => {
    const path = `${base}/data-source`;
    const pushed = { kind: 'push', lastSync: null, nextSyncAt: null };
    assert.deepEqual((await probe.control('GET', path)).body.dataSource, pushed);
    assert.equal((await probe.control('POST', `${path}/sync`)).status, 409);
    const set = await probe.control('PUT', path, { kind: 'ndjson', location: 'https://10.0.0.1/', schedule: null });
    assert.equal(set.status, 400);
  },
);
