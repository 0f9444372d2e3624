import { describe, expect, it, vi } from 'vitest';
import { bringLanesForward, findLanesToMend, removeIdleLanes } from '../../../src/storage/delivery/mend-lanes.ts';
import { beginSession } from '../../../src/storage/delivery/node-sessions.ts';
import { deleteEndpoint } from '../../../src/storage/statements/endpoints.ts';
import {
  addEndpoint,
  createWorld,
  emit,
  MINUTE,
  START,
  startEngine,
  type World,
} from '../../support/delivery/world.ts';

const DAY = 86_400_000;

/** A world with this number of endpoints, each with a due delivery, and with this change to their lanes. */
async function startWith(lanes: number, change: { turn_at?: number | null; node?: string | null }) {
  const world = await createWorld();
  for (let count = 0; count < lanes; count++) await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  await world.storage.write(async (queries) => {
    await beginSession(queries, 'session');
    await queries.updateTable('delivery_lanes').set(change).execute();
  });
  return { ...world, [Symbol.asyncDispose]: () => world.storage[Symbol.asyncDispose]() };
}

const find = ({ storage }: Pick<World, 'storage'>, { after = '', limit = 10, now = START } = {}) =>
  storage.read((queries) => findLanesToMend(queries, { after, limit, now }));

const turnsOf = ({ storage }: Pick<World, 'storage'>) =>
  storage.read(async (queries) => {
    const lanes = await queries.selectFrom('delivery_lanes').select('turn_at').execute();
    return lanes.map(({ turn_at }) => turn_at);
  });

describe('A free lane with work due', () => {
  it.each([
    ['a day away', START + DAY],
    ['missing', null],
  ])('whose turn is %s is found, and its turn is brought forward', async (_name, turn_at) => {
    await using world = await startWith(2, { turn_at });
    const { late } = await find(world);
    expect(late.map(({ headDueAt }) => headDueAt)).toEqual([START, START]);
    await world.storage.write((queries) => bringLanesForward(queries, late));
    expect(await turnsOf(world)).toEqual([START, START]);
    expect(await find(world)).toEqual({ late: [], idle: [], last: undefined });
  });

  it('whose turn comes within 2 s is left alone, because lanes take turns and clocks differ slightly', async () => {
    await using world = await startWith(1, { turn_at: START + MINUTE });
    expect((await find(world, { now: START + MINUTE - 2_000 })).late).toEqual([]);
    expect((await find(world, { now: START + MINUTE - 2_001 })).late).toHaveLength(1);
  });

  it('is found exactly once by walks over a limited number of lanes', async () => {
    await using world = await startWith(5, { turn_at: START + DAY });
    const first = await find(world, { limit: 3 });
    const second = await find(world, { after: first.last ?? '', limit: 3 });
    expect([first.late.length, second.late.length, second.last]).toEqual([3, 2, undefined]);
    expect(new Set([...first.late, ...second.late].map(({ endpointId }) => endpointId)).size).toBe(5);
  });

  it('keeps a turn that has become earlier in the meantime', async () => {
    await using world = await startWith(1, { turn_at: START + DAY });
    const { late } = await find(world);
    await world.storage.write((queries) => queries.updateTable('delivery_lanes').set({ turn_at: 5 }).execute());
    await world.storage.write((queries) => bringLanesForward(queries, late));
    expect(await turnsOf(world)).toEqual([5]);
  });
});

describe('A lane', () => {
  it('that a node holds is left to that node', async () => {
    await using world = await startWith(1, { turn_at: START + DAY, node: 'session' });
    expect((await find(world)).late).toEqual([]);
  });

  it('without work, or whose retry comes later, is left alone', async () => {
    await using world = await startWith(2, { turn_at: START + DAY });
    const [retry] = await world.storage.read((queries) =>
      queries.selectFrom('delivery_queue').selectAll().orderBy('endpoint_id').execute(),
    );
    await world.storage.write(async (queries) => {
      await queries
        .deleteFrom('delivery_queue')
        .where('endpoint_id', '!=', retry?.endpoint_id ?? '')
        .execute();
      await queries
        .updateTable('delivery_queue')
        .set({ retry: 1, due_at: START + DAY })
        .execute();
    });
    expect((await find(world)).late).toEqual([]);
  });
});

describe('The lane of a deleted endpoint', () => {
  const lanesOf = ({ storage }: Pick<World, 'storage'>) =>
    storage.read(async (queries) => {
      const lanes = await queries.selectFrom('delivery_lanes').select('endpoint_id').orderBy('endpoint_id').execute();
      return lanes.map(({ endpoint_id }) => endpoint_id);
    });

  /** A world with two lanes. The endpoint of the second lane is deleted. */
  async function deleteOne(node: string | null = null) {
    const world = await startWith(2, { node });
    const [kept = '', deleted = ''] = await lanesOf(world);
    await world.storage.write((queries) => deleteEndpoint(queries, world.workspaceId, deleted));
    return { ...world, kept, deleted };
  }

  const emptyQueue = ({ storage }: Pick<World, 'storage'>) =>
    storage.write((queries) => queries.deleteFrom('delivery_queue').execute());

  it('is removed when it is empty, and no other lane is', async () => {
    await using world = await deleteOne();
    expect((await find(world)).idle).toEqual([]);
    await emptyQueue(world);
    const { idle } = await find(world);
    expect(idle).toEqual([world.deleted]);
    await world.storage.write((queries) => removeIdleLanes(queries, idle));
    expect(await lanesOf(world)).toEqual([world.kept]);
  });

  it('is kept while a node holds it', async () => {
    await using world = await deleteOne('session');
    await emptyQueue(world);
    expect((await find(world)).idle).toEqual([]);
    await world.storage.write((queries) => removeIdleLanes(queries, [world.deleted]));
    expect(await lanesOf(world)).toHaveLength(2);
  });

  it('is kept if a delivery was stored in the meantime', async () => {
    await using world = await deleteOne();
    await world.storage.write((queries) => removeIdleLanes(queries, [world.deleted]));
    expect(await lanesOf(world)).toHaveLength(2);
  });

  it('is removed by a server that runs', async () => {
    await using world = await deleteOne();
    await emptyQueue(world);
    await using _engine = await startEngine(world);
    await vi.waitFor(async () => expect(await lanesOf(world)).toEqual([world.kept]));
  });
});
