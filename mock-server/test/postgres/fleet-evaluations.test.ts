import { describe, expect, test } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeWorkspace } from '../support/http/workspace.ts';
import { startFleet } from './support/fleet.ts';
import { query } from './support/query.ts';

/** 24 time zones. For most of them midnight is at a different time. */
const ZONES = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Havana',
  'America/Sao_Paulo',
  'Atlantic/South_Georgia',
  'Atlantic/Azores',
  'UTC',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Kathmandu',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
];
const WORKSPACES = 240;

describe('Three servers on one database', () => {
  test(`evaluate ${WORKSPACES} workspaces in 24 time zones once for each of their days`, async () => {
    const workspaces = Array.from({ length: WORKSPACES }, (_, n) => ({
      slug: `w${n}`,
      name: `W${n}`,
      timezone: ZONES[n % ZONES.length] as string,
      profiles: [{ externalId: 'a' }, { externalId: 'b' }],
    }));
    const seed = { organizations: [{ slug: 'acme', name: 'Acme', workspaces }] };
    await using fleet = await startFleet({ seed, rateLimit: false });
    const [node] = fleet.nodes;
    const frozen = await node.call('POST', '/_control/clock', { body: { freeze: true } });
    // A midnight between the start of the servers and this moment has already caused evaluations.
    const since = Date.parse(frozen.body.now);
    // Within 24 hours each time zone has one midnight.
    const { body } = await node.call('POST', '/_control/clock', { body: { advance: '24h' } });
    expect(body.ran.evaluations).toBe(WORKSPACES);
    const rows = await query<{ workspaces: number; evaluations: number; events: number; times: number }>(
      fleet,
      `select count(distinct workspace_id)::int as workspaces, count(*)::int as evaluations,
        count(distinct event_id)::int as events, count(distinct started_at)::int as times,
        (select count(*)::int from events where type = 'lifecycle.evaluated' and created_at > ${since}) as stored
        from evaluations where started_at > ${since}`,
    );
    expect(rows[0]).toMatchObject({
      workspaces: WORKSPACES,
      evaluations: WORKSPACES,
      events: WORKSPACES,
      stored: WORKSPACES,
    });
    expect(rows[0]?.times).toBeGreaterThan(18);
  });

  test('leave evaluations to a server that has only the role to evaluate', async () => {
    await using database = await createTestDatabase();
    const on = { databaseUrl: database.url, masterKey: TEST_MASTER_KEY, rateLimit: false };
    await using node = await startApi({ ...on, roles: ['api'] });
    await using evaluating = await startApi({ ...on, roles: ['evaluate'] });
    const workspace = await makeWorkspace(node);
    await workspace.put([{ externalId: 'a' }]);
    const moved = await node.call('POST', '/_control/clock', { body: { advance: '2d' } });
    expect(moved.body.ran.evaluations).toBe(2);
    expect(await workspace.evaluations()).toHaveLength(2);
    const metrics = await (await fetch(`${evaluating.server.url}/metrics`)).text();
    expect(metrics).toContain('svc_evaluations_total{trigger="schedule"} 2');
  });

  test('settle only after the evaluations of a server that has only the role to evaluate', async () => {
    await using database = await createTestDatabase();
    const on = { databaseUrl: database.url, masterKey: TEST_MASTER_KEY, rateLimit: false };
    await using node = await startApi({ ...on, roles: ['api'] });
    await using _evaluating = await startApi({ ...on, roles: ['evaluate'] });
    const workspace = await makeWorkspace(node);
    await workspace.put(Array.from({ length: 500 }, (_, index) => ({ externalId: `p${index}` })));
    await node.call('PATCH', `/v1/workspaces/${workspace.id}`, {
      credential: workspace.credential,
      body: { timezone: 'Asia/Tokyo' },
    });
    const { body } = await node.call('POST', '/_control/settle', { body: {} });
    expect(body).toMatchObject({ settled: true, pending: 0, inFlight: 0 });
    expect(await workspace.evaluations()).toMatchObject([{ trigger: 'calendar', profiles: 500 }]);
  });

  test('without the role to evaluate do not evaluate on schedule, and move the clock without waiting', async () => {
    await using fleet = await startFleet({ rateLimit: false, roles: ['api', 'deliver'] });
    const [node] = fleet.nodes;
    const workspace = await makeWorkspace(node);
    await workspace.put([{ externalId: 'a' }]);
    const moved = await node.call('POST', '/_control/clock', { body: { advance: '2d' } });
    expect(moved.body.ran.evaluations).toBe(0);
    expect(await workspace.evaluations()).toEqual([]);
    // On request, the server that receives the call evaluates.
    expect((await workspace.evaluate()).status).toBe(200);
  });
});
