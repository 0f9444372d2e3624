import { expect, test, vi } from 'vitest';
import { startEvaluator } from '../../../src/lifecycle/evaluator.ts';
import { importProfiles } from '../../../src/lifecycle/import-profiles.ts';
import { NO_ADDRESSES } from '../../../src/network/own-addresses.ts';
import { createChangeStream } from '../../../src/runtime/change-stream.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { connectionRulesOf } from '../../../src/start/check-config.ts';
import { sourceRulesOf } from '../../../src/start/source-rules.ts';
import { lockLifecycle } from '../../../src/storage/changes/profiles.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { findLifecycle, saveLifecycle } from '../../../src/storage/statements/profiles/lifecycles.ts';
import { createWorld, START, type World } from '../../support/delivery/world.ts';

const LOCAL = connectionRulesOf({ strict: false, allowNetworks: [] });

/** Adds a workspace with one profile, whose evaluation is due. */
async function addDue(
  { storage, ids, clock }: World,
  organizationId: string,
  trigger: 'calendar' | 'schedule',
  dueAt = START,
) {
  const id = ids.next('workspace');
  const at = { created_at: START, updated_at: START };
  const unset = { image: null, timezone: null, week_starts_on: null };
  await storage.write((queries) =>
    queries
      .insertInto('workspaces')
      .values({ id, organization_id: organizationId, slug: id, name: 'W', ...unset, ...at })
      .execute(),
  );
  await importProfiles({ storage, ids, clock }, id, [Buffer.from('{"externalId":"a"}\n')], 'ndjson');
  await storage.write(async (queries) => {
    const row = await lockLifecycle(queries, id);
    await saveLifecycle(queries, { ...row, next_evaluation_at: dueAt, next_trigger: trigger });
  });
  return id;
}

/** An evaluator whose evaluations end only when the test says so. */
async function startHeld(world: World) {
  const { storage, clock, ids } = world;
  const running: { workspaceId: string; end(): void }[] = [];
  const evaluator = await startEvaluator({
    storage,
    clock,
    ids,
    logger: createLogger('silent'),
    evaluates: true,
    followOtherIds: async () => {},
    async accept(work) {
      const ended = Promise.withResolvers<void>();
      const { workspaceId } = await storage.read(async (queries) => {
        const held = await queries
          .selectFrom('lifecycles')
          .select('workspace_id as workspaceId')
          .where('cycle_id', 'is not', null)
          .execute();
        const known = running.map((one) => one.workspaceId);
        return held.find((one) => !known.includes(one.workspaceId)) ?? { workspaceId: 'unknown' };
      });
      running.push({ workspaceId, end: ended.resolve });
      await ended.promise;
      return await storage.write(work);
    },
    changes: createChangeStream(false),
    wakeDelivery() {},
    checkSameData: () => async () => {},
    sourceRules: sourceRulesOf(LOCAL, NO_ADDRESSES),
    metrics: { lifecycle: { evaluated() {}, synced() {}, imported() {}, leaseLost() {} } },
  });
  /** Ends the first `count` evaluations, each once it runs. Then nothing may be left to do. */
  async function endAll(count: number): Promise<void> {
    for (let ended = 0; ended < count; ended++) {
      await vi.waitFor(() => expect(running.length).toBeGreaterThan(ended));
      running[ended]?.end();
    }
    expect(await evaluator.whenIdle(new AbortController().signal)).toBe(true);
  }

  return { evaluator, running, endAll };
}

/** Adds an organization. */
async function addOrganization({ storage, ids }: World): Promise<string> {
  const id = ids.next('organization');
  const values = { id, slug: id, name: 'Other', logo: null, created_at: START };
  await storage.write((queries) => queries.insertInto('organizations').values(values).execute());
  return id;
}

test('changes of one organization’s calendars are evaluated one after another, and leave slots for others', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  const own: string[] = [];
  for (let made = 0; made < 3; made++) own.push(await addDue(world, world.organizationId, 'calendar'));
  const others = [await addDue(world, await addOrganization(world), 'calendar')];
  const { evaluator, running, endAll } = await startHeld(world);
  await vi.waitFor(() => expect(running).toHaveLength(2));
  expect(running.map(({ workspaceId }) => own.includes(workspaceId)).sort()).toEqual([false, true]);
  expect(others).toContain(running.find(({ workspaceId }) => !own.includes(workspaceId))?.workspaceId);

  // The others follow, each after the rest that its predecessor causes.
  await endAll(4);
  expect(evaluator.evaluationsMade()).toBe(4);
  await evaluator.close();
});

test('a change is evaluated after a rest, even while a long evaluation of another organization runs', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  for (let made = 0; made < 2; made++) await addDue(world, world.organizationId, 'calendar');
  const { evaluator, running, endAll } = await startHeld(world);
  await vi.waitFor(() => expect(running).toHaveLength(1));
  running[0]?.end();
  await vi.waitFor(() => expect(evaluator.evaluationsMade()).toBe(1));
  const long = await addDue(world, await addOrganization(world), 'schedule');
  evaluator.wake();
  await vi.waitFor(() => expect(running.map(({ workspaceId }) => workspaceId)).toContain(long));
  await vi.waitFor(() => expect(running).toHaveLength(3));
  await endAll(3);
  await evaluator.close();
});

test('while the clock moves, no change of a calendar waits for a rest', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  for (let made = 0; made < 3; made++) await addDue(world, world.organizationId, 'calendar');
  world.clock.restore({ frozenAt: START, moving: { at: START, afterId: '', target: START } });
  // No rest ends by itself.
  using _now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { evaluator, endAll } = await startHeld(world);
  await endAll(3);
  await evaluator.close();
});

test('daily evaluations of one organization use all four slots', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  for (let made = 0; made < 5; made++) await addDue(world, world.organizationId, 'schedule');
  const { evaluator, running, endAll } = await startHeld(world);
  await vi.waitFor(() => expect(running).toHaveLength(4));
  await endAll(5);
  await evaluator.close();
});

test('the evaluations that have been due for longest run first', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  const latest = await addDue(world, world.organizationId, 'schedule');
  for (let made = 1; made < 5; made++) await addDue(world, world.organizationId, 'schedule', START - made * 1_000);
  const { evaluator, running, endAll } = await startHeld(world);
  await vi.waitFor(() => expect(running).toHaveLength(4));
  expect(running.map(({ workspaceId }) => workspaceId)).not.toContain(latest);
  await endAll(5);
  expect(running.at(-1)?.workspaceId).toBe(latest);
  await evaluator.close();
});

test('work that fails because of its stored data waits for an hour, so a move of the clock does not wait for it', async () => {
  const world = await createWorld(await openSqlite(':memory:'));
  await using _storage = world.storage;
  const broken = await addDue(world, world.organizationId, 'schedule');
  const sound = await addDue(world, await addOrganization(world), 'schedule', START + 1);
  await world.storage.write(async (queries) => {
    const row = await lockLifecycle(queries, broken);
    await saveLifecycle(queries, { ...row, source: 'no JSON', next_sync_at: START });
  });
  world.clock.restore({ frozenAt: START + 1, moving: { at: START + 1, afterId: '', target: START + 1 } });
  const { evaluator, running } = await startHeld(world);
  await vi.waitFor(() => expect(running.map(({ workspaceId }) => workspaceId)).toEqual([sound]));
  running[0]?.end();
  expect(await evaluator.whenIdle(new AbortController().signal)).toBe(true);
  expect(evaluator.evaluationsMade()).toBe(1);
  const row = await world.storage.read((queries) => findLifecycle(queries, broken));
  expect(row).toMatchObject({ due_at: START + 1 + 3_600_000, next_evaluation_at: START });
  await evaluator.close();
});
