import { describe, expect, it, test, vi } from 'vitest';
import { createNodeSession } from '../../../../src/delivery/queue/node-session.ts';
import { createLogger } from '../../../../src/runtime/logger.ts';
import { endSessions, renewSession } from '../../../../src/storage/delivery/node-sessions.ts';
import { StorageUnavailableError } from '../../../../src/storage/port.ts';
import { wipe } from '../../../../src/storage/wipe.ts';
import { openTestStorage } from '../../../support/database.ts';
import { connect } from '../../../support/delivery/connection.ts';
import { createFakeTimers } from '../../../support/delivery/fake-timers.ts';
import { holdersIn, sessionsIn } from '../../../support/delivery/sessions.ts';

const AWAY = new StorageUnavailableError('The database is away.');

/** A database, and the sessions of nodes on it. A node renews and watches until it is stopped. */
async function startFleet() {
  const storage = await openTestStorage();
  const timers = createFakeTimers();

  function start(name: string, { isShared = true, timeoutMs = 10_000, readClock = async () => {} } = {}) {
    const connection = connect(storage);
    const happened: ('ended' | 'freed')[] = [];
    let sessions = 0;
    const node = createNodeSession({
      storage: connection.storage,
      timers,
      logger: createLogger('silent'),
      isShared,
      timeoutMs,
      readClock,
      drawSession: () => `${name} ${sessions++}`,
      onEnded: () => void happened.push('ended'),
      onFreed: () => void happened.push('freed'),
    });
    return { ...node, connection, happened };
  }

  return {
    storage,
    timers,
    start,
    /** A node that began a session, holds a lane and then died. */
    async startDead() {
      const dead = start('dead');
      await timers.pass(0);
      dead.stop();
      const lane = { endpoint_id: 'whe_1', turn_at: 0, node: dead.id() };
      await storage.write((queries) => queries.insertInto('delivery_lanes').values(lane).execute());
      return dead;
    },
    [Symbol.asyncDispose]: storage[Symbol.asyncDispose],
  };
}

describe('A session that its node renews', () => {
  it('never ends', async () => {
    await using fleet = await startFleet();
    const nodes = [fleet.start('a'), fleet.start('b'), fleet.start('c')];
    await fleet.timers.pass(60_000);
    expect(await sessionsIn(fleet.storage)).toEqual(['a 1', 'b 1', 'c 1']);
    expect(nodes.flatMap(({ happened }) => happened)).toEqual([]);
  });

  it('is not ended if the node renews it once between two looks of the watcher, 11.5 s after the first', async () => {
    await using fleet = await startFleet();
    const dead = await fleet.startDead();
    fleet.start('watcher');
    await fleet.timers.pass(11_500);
    await fleet.storage.write((queries) => renewSession(queries, dead.id()));
    await fleet.timers.pass(12_499);
    expect(await sessionsIn(fleet.storage)).toContain(dead.id());
    await fleet.timers.pass(1);
    expect(await sessionsIn(fleet.storage)).toEqual(['watcher 1']);
  });

  it('is not ended if the node renews it right before its end', async () => {
    await using fleet = await startFleet();
    const dead = await fleet.startDead();
    const watcher = fleet.start('watcher');
    await fleet.timers.pass(11_999);
    let writes = 0;
    watcher.connection.before = async (kind) => {
      // The first write renews the watcher's own session. The second one ends the other.
      if (kind === 'write' && ++writes === 2) await fleet.storage.write((queries) => renewSession(queries, dead.id()));
    };
    await fleet.timers.pass(1);
    expect(writes).toBe(2);
    expect(await sessionsIn(fleet.storage)).toContain(dead.id());
    expect(watcher.happened).toEqual([]);
  });
});

describe('A session that its node does not renew', () => {
  it('is ended after another node has watched the session for 12 s, which frees its lanes', async () => {
    await using fleet = await startFleet();
    const dead = await fleet.startDead();
    await fleet.timers.pass(60_000);
    const watcher = fleet.start('watcher');
    await fleet.timers.pass(11_999);
    expect(await sessionsIn(fleet.storage)).toEqual([dead.id(), 'watcher 1']);
    expect(await holdersIn(fleet.storage)).toEqual([dead.id()]);
    expect(watcher.happened).toEqual([]);
    await fleet.timers.pass(1);
    expect(await sessionsIn(fleet.storage)).toEqual(['watcher 1']);
    expect(await holdersIn(fleet.storage)).toEqual([null]);
    expect(watcher.happened).toEqual(['freed']);
  });

  it.each([
    { awayMs: 3_000, endedAfterMs: 12_000 },
    { awayMs: 3_500, endedAfterMs: 4_500 + 3_500 + 12_000 },
  ])(
    'is ended $endedAfterMs ms after the first look of a watcher that could not look for $awayMs ms',
    async (given) => {
      await using fleet = await startFleet();
      const dead = await fleet.startDead();
      const { connection } = fleet.start('watcher');
      await fleet.timers.pass(4_500);
      // The look at 4.5 s is the last one before the outage.
      connection.before = () => Promise.reject(AWAY);
      await fleet.timers.pass(given.awayMs - 1);
      connection.before = async () => {};
      await fleet.timers.pass(given.endedAfterMs - 4_500 - given.awayMs);
      expect(await sessionsIn(fleet.storage)).toContain(dead.id());
      await fleet.timers.pass(1);
      expect(await sessionsIn(fleet.storage)).toEqual(['watcher 1']);
    },
  );
});

describe('An attempt', () => {
  it.each([
    { timeoutMs: 10_000, startsUntilMs: 1_750 },
    { timeoutMs: 1_000, startsUntilMs: 10_750 },
  ])(
    'of at most $timeoutMs ms may start less than $startsUntilMs ms after the node sent its latest renewal',
    async ({ timeoutMs, startsUntilMs }) => {
      await using fleet = await startFleet();
      const { timers } = fleet;
      const node = fleet.start('node', { timeoutMs });
      expect(node.mayStart()).toBe(false);
      await timers.pass(500);
      // The renewal was sent at 500 ms. No later one succeeds.
      node.connection.before = () => Promise.reject(AWAY);
      await timers.pass(startsUntilMs - 1);
      expect(node.mayStart()).toBe(true);
      await timers.pass(1);
      expect(node.mayStart()).toBe(false);
      node.connection.before = async () => {};
      await timers.pass(500);
      expect(node.mayStart()).toBe(true);
    },
  );

  it('may start until 1.75 s after the renewal was sent, however late the reply comes', async () => {
    await using fleet = await startFleet();
    const { timers } = fleet;
    const node = fleet.start('node');
    await timers.pass(499);
    const replied = Promise.withResolvers<void>();
    node.connection.after = () => replied.promise;
    const renewed = timers.pass(1);
    await vi.waitUntil(() => timers.now() === 500);
    // No timer runs meanwhile, because the renewal has not ended.
    timers.freeze(1_000);
    replied.resolve();
    await renewed;
    timers.freeze(749);
    expect(node.mayStart()).toBe(true);
    timers.freeze(1);
    expect(node.mayStart()).toBe(false);
  });

  it('may start at any time in a session if no other node can use the database', async () => {
    await using fleet = await startFleet();
    const node = fleet.start('node', { isShared: false });
    await fleet.timers.pass(86_400_000);
    expect([node.mayStart(), await sessionsIn(fleet.storage)]).toEqual([false, []]);
    await node.ensure();
    await fleet.timers.pass(86_400_000);
    expect([node.mayStart(), await sessionsIn(fleet.storage)]).toEqual([true, ['node 1']]);
  });
});

describe('A session that other nodes end', () => {
  it('is reported once, at the next renewal, and the node then begins another session', async () => {
    await using fleet = await startFleet();
    const node = fleet.start('node');
    await fleet.timers.pass(500);
    await fleet.storage.write((queries) => endSessions(queries, ['node 1']));
    await fleet.timers.pass(500);
    expect([node.happened, node.mayStart()]).toEqual([['ended'], false]);
    // Results of several attempts say so too.
    node.ended('node 1');
    await fleet.timers.pass(500);
    node.ended('node 1');
    expect([node.happened, node.mayStart(), node.id()]).toEqual([['ended'], true, 'node 2']);
    expect(await sessionsIn(fleet.storage)).toEqual(['node 2']);
  });

  it('is left by a node that stops, which begins no other one', async () => {
    await using fleet = await startFleet();
    const node = fleet.start('node');
    await fleet.timers.pass(500);
    node.stop();
    await node.leave();
    await fleet.timers.pass(60_000);
    expect([node.happened, node.mayStart()]).toEqual([[], false]);
    expect(await sessionsIn(fleet.storage)).toEqual([]);
  });
});

describe('A reset', () => {
  it('ends the sessions of all nodes, and each continues under a new one', async () => {
    await using fleet = await startFleet();
    const nodes = [fleet.start('a'), fleet.start('b')];
    await fleet.timers.pass(500);
    await fleet.storage.write(wipe);
    expect(await sessionsIn(fleet.storage)).toEqual([]);
    await fleet.timers.pass(1_000);
    expect(await sessionsIn(fleet.storage)).toEqual(['a 2', 'b 2']);
    expect(nodes.map(({ happened }) => happened)).toEqual([['ended'], ['ended']]);
  });
});

test('A node reads the stored clock before each of its sessions begins', async () => {
  await using fleet = await startFleet();
  const sessionsWhenRead: string[][] = [];
  const node = fleet.start('node', {
    readClock: async () => void sessionsWhenRead.push(await sessionsIn(fleet.storage)),
  });
  await fleet.timers.pass(500);
  await fleet.storage.write(wipe);
  await fleet.timers.pass(1_000);
  expect(sessionsWhenRead).toEqual([[], []]);
  expect(await sessionsIn(fleet.storage)).toEqual([node.id()]);
});
