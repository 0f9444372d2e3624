import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OtherNodes } from '../../../src/delivery/queue/hand-over.ts';
import { TAKE_DELAY_MS } from '../../../src/delivery/tuning.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { beginOther } from '../../support/delivery/sessions.ts';
import { addEndpoint, createWorld, emit, startEngine } from '../../support/delivery/world.ts';

// The test moves the monotonic clock. The database works in real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Gives the engine time to come to rest. */
async function settle(): Promise<void> {
  for (let passes = 0; passes < 200; passes++) await new Promise(setImmediate);
}

/** Moves the monotonic clock a millisecond at a time, so that each timer fires at its exact time. */
async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed++) vi.advanceTimersByTime(1);
  await settle();
}

/** Waits for the database without moving the clock. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate);
}

const nobodyElse: OtherNodes = {
  askForLanes() {},
  tellOfLanes() {},
};

/** An idle server, and a lane with a due delivery that another server may hold. Counts how often it asks for lanes. */
async function startIdle(of: { heldElsewhere: boolean }) {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  let asked = 0;
  const engine = cleanup.use(
    await startEngine(world, {
      paused: false,
      send: async () => new Response(),
      otherNodes: { ...nobodyElse, askForLanes: () => asked++ },
    }),
  );
  await settle();
  await emit(world);
  if (of.heldElsewhere) {
    await beginOther(world.storage);
    await world.storage.write((queries) => queries.updateTable('delivery_lanes').set({ node: 'other' }).execute());
  }
  const owned = cleanup.move();
  return {
    asked: () => asked,
    async wake() {
      engine.wake();
      await settle();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('A server that is idle', () => {
  it('asks for no lanes if no other server holds any', async () => {
    await using idle = await startIdle({ heldElsewhere: false });
    await idle.wake();
    expect(idle.asked()).toBe(0);
  });

  it('asks other servers for lanes, and does not ask again within 249 ms', async () => {
    await using idle = await startIdle({ heldElsewhere: true });
    await idle.wake();
    expect(idle.asked()).toBe(1);
    await advance(249);
    await idle.wake();
    expect(idle.asked()).toBe(1);
  });

  it('asks for lanes again after 250 ms', async () => {
    await using idle = await startIdle({ heldElsewhere: true });
    await idle.wake();
    await advance(250);
    await idle.wake();
    expect(idle.asked()).toBe(2);
  });
});

/** A server that is asked for lanes and holds two, each with one delivery in flight and more that wait. */
async function startHandOver() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  for (const name of ['one', 'two']) await addEndpoint(world, `https://${name}.test/hook`);
  await emit(world, 9);
  const open: { host: string; answer(response: Response): void }[] = [];
  let told = 0;
  const engine = cleanup.use(
    await startEngine(world, {
      paused: false,
      endpointConcurrency: 1,
      send: ({ url }) => new Promise((answer) => open.push({ host: new URL(url).host, answer })),
      otherNodes: { ...nobodyElse, tellOfLanes: () => told++ },
    }),
  );
  cleanup.defer(() => {
    for (const { answer } of open) answer(new Response());
  });
  await until(() => open.length === 2);
  await settle();
  engine.handOver();
  const owned = cleanup.move();
  return {
    told: () => told,
    /** The hosts with a request in flight. */
    hosts: () => [...new Set(open.map(({ host }) => host))].sort(),
    async respondToAll() {
      for (const { answer } of open.splice(0)) answer(new Response());
      await settle();
      await advance(10);
    },
    /** Lets this much time pass, and at the end the engine looks for due deliveries. */
    async lookAfter(ms: number) {
      await advance(ms - TAKE_DELAY_MS);
      engine.wake();
      await advance(TAKE_DELAY_MS);
    },
    held: () =>
      world.storage.read((queries) =>
        queries.selectFrom('delivery_lanes').select('endpoint_id').where('node', 'is not', null).execute(),
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('A server that is asked for lanes', () => {
  it('releases every other lane with waiting deliveries once attempts in flight have ended, and announces it', async () => {
    await using handOver = await startHandOver();
    expect(await handOver.held()).toHaveLength(2);
    expect(handOver.told()).toBe(0);
    await handOver.respondToAll();
    await until(() => handOver.told() > 0);
    expect(await handOver.held()).toHaveLength(1);
    expect(handOver.hosts()).toHaveLength(1);
  });

  it('claims no lanes for 499 ms, so that the idle server can claim them', async () => {
    await using handOver = await startHandOver();
    await handOver.respondToAll();
    await until(() => handOver.told() > 0);
    await handOver.lookAfter(489);
    expect(handOver.hosts()).toHaveLength(1);
    expect(await handOver.held()).toHaveLength(1);
  });

  it('claims free lanes again after 500 ms', async () => {
    await using handOver = await startHandOver();
    await handOver.respondToAll();
    await until(() => handOver.told() > 0);
    await handOver.lookAfter(490);
    await until(() => handOver.hosts().length === 2);
    expect(handOver.hosts()).toEqual(['one.test', 'two.test']);
  });

  it('keeps working on a lane if an attempt in the lane has been in flight for 500 ms', async () => {
    await using handOver = await startHandOver();
    await advance(500);
    await handOver.respondToAll();
    await until(() => handOver.hosts().length === 2);
    expect(handOver.hosts()).toEqual(['one.test', 'two.test']);
    expect(await handOver.held()).toHaveLength(2);
  });

  it('releases a lane if its attempt ends in less than 500 ms', async () => {
    await using handOver = await startHandOver();
    await advance(489);
    await handOver.respondToAll();
    await until(() => handOver.told() > 0);
    expect(await handOver.held()).toHaveLength(1);
  });
});
