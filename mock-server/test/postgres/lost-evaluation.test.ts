import { describe, expect, test, vi } from 'vitest';
import { makeWorkspace } from '../support/http/workspace.ts';
import { startFleet } from './support/fleet.ts';
import { query } from './support/query.ts';

/*
 * A server whose lease on an evaluation ended, for example because it was frozen or died, changes nothing more.
 * `unit/lifecycle/leases.test.ts` tests when that lease ends.
 */

describe('Three servers, one of which lost its lease on an evaluation,', () => {
  test('restart the cycle of a dead server, and count the changes of the dead server', async () => {
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

  test('write nothing under the lost lease once another server has claimed the workspace', async () => {
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
});
