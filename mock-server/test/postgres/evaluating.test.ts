import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeWorkspace } from '../support/http/workspace.ts';
import { type Fleet, startFleet } from './support/fleet.ts';

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
const WORKSPACES = 1_000;

async function query<Row extends pg.QueryResultRow>({ databaseUrl }: Fleet, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

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
    await node.call('POST', '/_control/clock', { body: { freeze: true } });
    // Within 24 hours each time zone has one midnight.
    const { body } = await node.call('POST', '/_control/clock', { body: { advance: '24h' } });
    expect(body.ran.evaluations).toBe(WORKSPACES);
    const rows = await query<{ workspaces: number; evaluations: number; events: number; times: number }>(
      fleet,
      `select count(distinct workspace_id)::int as workspaces, count(*)::int as evaluations,
        count(distinct event_id)::int as events, count(distinct started_at)::int as times,
        (select count(*)::int from events where type = 'lifecycle.evaluated') as stored from evaluations`,
    );
    expect(rows[0]).toMatchObject({
      workspaces: WORKSPACES,
      evaluations: WORKSPACES,
      events: WORKSPACES,
      stored: WORKSPACES,
    });
    expect(rows[0]?.times).toBeGreaterThan(18);
  });

  test('restart a cycle that a dead server left, and count what that server changed', async () => {
    await using fleet = await startFleet({ rateLimit: false });
    const [node] = fleet.nodes;
    const workspace = await makeWorkspace(node);
    await workspace.put(Array.from({ length: 3 }, (_, n) => ({ externalId: `p${n}`, activeDays: ['2020-01-01'] })));
    await workspace.evaluate();
    // A server that dies after its first batch leaves one profile written, and a lease that has not ended.
    await query(
      fleet,
      `update profile_states set state = 'churned', previous_state = 'active', evaluation_id = 'evl_dead', engagement = 1
        where profile_id = (select min(profile_id) from profile_states)`,
    );
    await query(
      fleet,
      `update lifecycles set cycle_id = 'evl_dead', cycle_trigger = 'schedule', cycle_started_at = $1::bigint, due_at = $1::bigint,
        lease_token = lease_token + 1, lease_until = extract(epoch from clock_timestamp()) * 1000 + 1500
        where workspace_id = $2`,
      [Date.now(), workspace.id],
    );
    await vi.waitFor(async () => expect(await workspace.evaluations()).toHaveLength(2));
    expect((await workspace.evaluations()).find(({ id }: { id: string }) => id === 'evl_dead')).toMatchObject({
      trigger: 'schedule',
      profiles: 3,
      changed: 1,
      transitions: [{ from: 'active', to: 'churned', profiles: 1 }],
    });
    expect((await workspace.profiles())[2].scores).toEqual({ engagement: 0, churnRisk: 80 });
  });

  test('write nothing more once another server claims the workspace', async () => {
    await using fleet = await startFleet({ rateLimit: false });
    const [node] = fleet.nodes;
    const workspace = await makeWorkspace(node);
    const count = 5_000;
    const stored = await workspace.put(Array.from({ length: count }, (_, n) => ({ externalId: `p${n}` })));
    expect(stored.body).toMatchObject({ created: count });
    const evaluated = async () =>
      Number(
        (await query<{ n: string }>(fleet, 'select count(*) as n from profile_states where state is not null'))[0]?.n,
      );
    const running = workspace.evaluate();
    await vi.waitFor(async () => expect(await evaluated()).toBeGreaterThan(0));
    // Another node claims the workspace, as it does if this node was frozen past its lease.
    const claim = `update lifecycles set lease_token = lease_token + 1,
      lease_until = extract(epoch from clock_timestamp()) * 1000 + 600000 where workspace_id = $1`;
    await query(fleet, claim, [workspace.id]);
    const then = await evaluated();
    expect(then).toBeLessThan(count);
    expect(await evaluated()).toBe(then);
    // When that lease ends, the cycle starts again, and the request waits for it.
    await query(fleet, 'update lifecycles set lease_until = 0 where workspace_id = $1', [workspace.id]);
    const { body } = await running;
    expect(body.evaluation.states.new).toBe(count);
    const evaluations = await workspace.evaluations();
    expect(
      evaluations.map(({ changed }: { changed: number }) => changed).sort((a: number, b: number) => b - a),
    ).toEqual([count, 0]);
    expect(await query(fleet, `select 1 from events where workspace_id = $1`, [workspace.id])).toHaveLength(2);
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
