import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/index.ts';
import { startApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

const seedOf = (workspace: object) => ({
  organizations: [{ slug: 'a', name: 'A', workspaces: [{ id: 'wsp_1', slug: 'w', name: 'W', ...workspace }] }],
});

describe('Profiles of a seed', () => {
  test('of the demo are 40, in every state, and cause no event', async () => {
    await using api = await startApi({ seed: undefined });
    const base = `/_control/workspaces/${demo.production.id}`;
    const states = ['new', 'active', 'at_risk', 'dormant', 'churned'];
    const counts = await Promise.all(
      states.map(
        async (state) => (await api.call('GET', `${base}/profiles?limit=100&state=${state}`)).body.data.length,
      ),
    );
    expect(counts).toEqual([7, 14, 7, 6, 6]);
    const found = await api.call('GET', '/v1/search?q=lovelace', { credential: demo.production.key });
    expect(found.body.data).toMatchObject([{ title: 'Ada Lovelace' }]);
    expect((await api.call('GET', '/v1/events', { credential: demo.production.key })).body.data).toEqual([]);
    const { nextEvaluationAt } = (await api.call('GET', `${base}/schedule`)).body;
    expect(Date.parse(nextEvaluationAt)).toBeGreaterThan(Date.now() - 60_000);
    // A second evaluation on the same day changes nothing.
    const { evaluation } = (await api.call('POST', `${base}/evaluate`)).body;
    if (Date.now() < Date.parse(nextEvaluationAt)) expect(evaluation).toMatchObject({ profiles: 40, changed: 0 });
  });

  test('may have fixed ids, no state yet, and a data source', async () => {
    await using api = await startApi({
      seed: seedOf({
        profiles: [{ id: 'prf_PINNED', externalId: 'a', name: 'Ada', activeDays: ['2026-01-01'] }, { externalId: 'b' }],
        dataSource: { kind: 'ndjson', location: '/tmp/none', schedule: '1h' },
      }),
    });
    const { body } = await api.call('GET', '/_control/workspaces/wsp_1/profiles/prf_PINNED');
    expect(body.profile).toMatchObject({ externalId: 'a', name: 'Ada', activeDays: ['2026-01-01'], state: null });
    const source = (await api.call('GET', '/_control/workspaces/wsp_1/data-source')).body.dataSource;
    expect(source).toMatchObject({ kind: 'ndjson', location: '/tmp/none', nextSyncAt: expect.any(String) });
  });

  test.each([
    [
      { profiles: [{ externalId: 'a', age: 7 }] },
      /"organizations\.0\.workspaces\.0\.profiles\.0" has unknown fields: age/,
    ],
    [{ profiles: [{ externalId: 'a', activeDays: ['2026-02-30'] }] }, /activeDays\.0" must be a day that exists/],
    [
      { timezone: 'Pacific/Apia', profiles: [{ externalId: 'a', activeDays: ['2011-12-30'] }] },
      /workspaces\.0\.profiles\.0\.activeDays\.0": 2011-12-30 does not exist in the time zone Pacific\/Apia/,
    ],
    [
      { dataSource: { kind: 'ndjson', location: 'x' } },
      /workspaces\.0\.dataSource\.location": must be an https URL or the absolute/,
    ],
    [
      {
        profiles: [
          { id: 'prf_1', externalId: 'a' },
          { id: 'prf_1', externalId: 'b' },
        ],
      },
      /profiles\.1\.id": "prf_1" occurs twice, first at "organizations\.0\.workspaces\.0\.profiles\.0\.id"/,
    ],
  ])('are refused with %j', async (workspace, message) => {
    const started = startApi({ seed: seedOf(workspace) });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow(message);
  });
});
