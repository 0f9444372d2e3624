import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClockState } from '../../../src/domain/clock-state.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { DataReplacedError, type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { findSetting, saveSetting } from '../../../src/storage/statements/settings.ts';
import { VirtualClock } from '../../../src/time/clock.ts';
import { type ClockFleet, createSharedClock, type SharedClock } from '../../../src/time/shared-clock.ts';

const START = Date.parse('2031-03-01T00:00:00.000Z');
const HOUR = 3_600_000;

let storage: Storage;
beforeEach(async () => {
  storage = await openSqlite(':memory:');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await storage[Symbol.asyncDispose]();
});

/** Creates a node whose locks the test can end at any time. */
function startNode() {
  const clock = new VirtualClock(() => START);
  const ids = createIds(clock);
  const lost = new AbortController();
  let isTaken = false;
  const heardAt = performance.now();
  let changes = 0;
  const fleet: ClockFleet = {
    isClockLocked: async () => isTaken,
    roles: async () => new Set(['deliver']),
    async lockClock() {
      isTaken = true;
      return {
        signal: lost.signal,
        heardAt: () => heardAt,
        confirm: async () => lost.signal.throwIfAborted(),
        async save(state, onSaved) {
          lost.signal.throwIfAborted();
          await storage.write((queries) => saveSetting(queries, 'clock', state));
          onSaved();
          return new Map();
        },
        async [Symbol.asyncDispose]() {
          isTaken = false;
        },
      };
    },
  };
  const shared: SharedClock = createSharedClock({
    clock,
    ids,
    storage,
    logger: createLogger('silent'),
    lastReset: undefined,
    onChange: () => changes++,
    fleet,
  });
  return {
    clock,
    ids,
    shared,
    changes: () => changes,
    loseLock: () => lost.abort(new StorageUnavailableError('The lock is lost.')),
    otherNodeMoves: (isMoving: boolean) => {
      isTaken = isMoving;
    },
  };
}

/** Moves the monotonic clock forward while nothing else happens. */
function freezeFor(ms: number): void {
  const now = performance.now() + ms;
  vi.spyOn(performance, 'now').mockReturnValue(now);
}

const stored = () => storage.read((queries) => findSetting(queries, 'clock'));
const store = (state: ClockState) => storage.write((queries) => saveSetting(queries, 'clock', state));
const stepAt = (at: number, afterId = ''): ClockState => ({
  offsetMs: at - START,
  frozenAt: null,
  moving: { at, afterId, target: at },
});

describe('A clock that nodes share', () => {
  test('is saved before the node uses it', async () => {
    const { clock, shared } = startNode();
    await shared.alone(async (mover) => {
      await mover.set(clock.stateAt(START + HOUR));
      expect(await stored()).toEqual(clock.state);
    });
    expect(clock.now()).toBe(START + HOUR);
  });

  test('is not changed by a node that lost its lock, which takes what another node saved', async () => {
    const { clock, shared, loseLock } = startNode();
    const moved = shared.alone(async (mover) => {
      await store({ offsetMs: 2 * HOUR, frozenAt: null });
      loseLock();
      await mover.set(clock.stateAt(START + HOUR));
    });
    await expect(moved).rejects.toThrow('The lock is lost.');
    expect(await stored()).toEqual({ offsetMs: 2 * HOUR, frozenAt: null });
    expect(clock.now()).toBe(START + 2 * HOUR);
  });

  test('takes a step that another node saved, and stands still during it', async () => {
    const { clock, shared, changes } = startNode();
    await store(stepAt(START + HOUR));
    await shared.hear();
    expect([clock.now(), changes()]).toEqual([START + HOUR, 1]);
    await store(stepAt(START + HOUR));
    await shared.hear();
    expect(changes()).toBe(1);
  });

  test('raises ids after the clock was set back, even for a node that missed the whole move', async () => {
    const [mover, other] = [startNode(), startNode()];
    await mover.shared.alone(async ({ set }) => {
      await set(mover.clock.stateAt(START + HOUR));
      mover.ids.nextBare();
      await set({ offsetMs: 0, frozenAt: null });
    });
    expect(mover.ids.leadMs()).toBe(HOUR);
    expect([other.clock.now(), other.ids.leadMs()]).toEqual([START, 0]);
    await other.shared.hear();
    expect([other.clock.now(), other.ids.leadMs()]).toEqual([START, HOUR + 1]);
    expect(other.ids.nextBare() > (other.clock.state.idsAfter ?? '~')).toBe(true);
  });

  test('keeps the id after which new ids follow while the clock moves on', async () => {
    const { clock, shared } = startNode();
    await shared.alone(async ({ set }) => {
      await set(clock.stateAt(START + HOUR));
      expect(clock.state.idsAfter).toBe(undefined);
      await set({ offsetMs: 0, frozenAt: null });
      const back = clock.state.idsAfter ?? '';
      expect(back).toHaveLength(26);
      // The times in ids are still ahead, so this change stores a new id. At the next change, they are not ahead.
      await set(clock.stateAt(START + 2 * HOUR));
      const ahead = clock.state.idsAfter ?? '';
      expect(ahead > back).toBe(true);
      await set(clock.stateAt(START + 3 * HOUR));
      expect(clock.state.idsAfter).toBe(ahead);
      expect(await stored()).toEqual(clock.state);
    });
  });

  test('raises ids above those made before a step, and leaves no gap if they are already higher', async () => {
    const { ids, shared } = startNode();
    const high = createIds(new VirtualClock(() => START + 5)).next('webhookDelivery');
    expect(ids.next('webhookDelivery') < high).toBe(true);
    await store(stepAt(START, high));
    await shared.hear();
    const next = ids.next('webhookDelivery');
    expect(next > high).toBe(true);
    await store(stepAt(START + 1, high));
    await shared.hear();
    expect(ids.next('webhookDelivery').slice(0, 14)).toBe(next.slice(0, 14));
  });

  test('continues from the step if the node that moved it dies', async () => {
    const { clock, shared } = startNode();
    await store(stepAt(START + HOUR));
    await shared.refresh();
    await expect.poll(() => clock.state.moving).toBeUndefined();
    expect(clock.now()).toBe(START + HOUR);
    expect(await stored()).toEqual({ offsetMs: HOUR, frozenAt: null });
  });

  test('stays at the step while another node moves it', async () => {
    const { clock, shared, otherNodeMoves } = startNode();
    otherNodeMoves(true);
    await store(stepAt(START + HOUR));
    for (let looks = 0; looks < 3; looks++) await shared.refresh();
    expect(await stored()).toEqual(stepAt(START + HOUR));
    expect(clock.state.moving).toBeDefined();
  });

  test('is read again before a node that was frozen accepts anything', async () => {
    const { clock, shared } = startNode();
    await store(stepAt(START + HOUR));
    await shared.hear();
    await store({ offsetMs: 0, frozenAt: null });
    await shared.whileCurrent(async () => {});
    expect(clock.now()).toBe(START + HOUR);
    freezeFor(5_001);
    await shared.whileCurrent(async () => {});
    expect(clock.now()).toBe(START);
  });

  test('is not used by a node that was frozen during its lock, until the node knows whether it lost the lock', async () => {
    const { shared } = startNode();
    await shared.alone(async (mover) => {
      await mover.set(stepAt(START + HOUR));
      await shared.whileCurrent(async () => {});
      freezeFor(5_001);
      await expect(shared.whileCurrent(async () => {})).rejects.toThrow(StorageUnavailableError);
    });
  });
});

describe('A request', () => {
  /** Handles a request that stores something each time, after another node has replaced the data `resets` times. */
  async function handle(resets: number) {
    const { clock, shared } = startNode();
    const times: number[] = [];
    const handled = shared.whileCurrent(async ({ checkWrite }) => {
      times.push(clock.now());
      if (times.length <= resets) {
        await storage.write((queries) => saveSetting(queries, 'reset', `reset ${times.length}`));
        await store({ offsetMs: times.length * HOUR, frozenAt: null });
      }
      await storage.write(checkWrite);
      return 'stored';
    });
    return { handled, times };
  }

  test('is handled once if the data was not replaced', async () => {
    const { handled, times } = await handle(0);
    expect([await handled, times]).toEqual(['stored', [START]]);
  });

  test('is handled again, at the new time, if another node replaced the data before the write', async () => {
    const { handled, times } = await handle(2);
    expect([await handled, times]).toEqual(['stored', [START, START + HOUR, START + 2 * HOUR]]);
  });

  test('fails if the data is replaced again and again', async () => {
    const { handled, times } = await handle(9);
    await expect(handled).rejects.toThrow(DataReplacedError);
    expect(times).toHaveLength(5);
  });
});

describe('Without other nodes', () => {
  function startAlone(realNow = () => START) {
    const clock = new VirtualClock(realNow);
    const ids = createIds(clock);
    const shared = createSharedClock({
      clock,
      ids,
      storage,
      logger: createLogger('silent'),
      lastReset: undefined,
      onChange() {},
      fleet: undefined,
    });
    return { clock, ids, shared };
  }

  test("the lead of the ids is stored before the next write if the machine's clock was set back", async () => {
    let now = START + HOUR;
    const { ids, shared } = startAlone(() => now);
    const leadMs = () => storage.read((queries) => findSetting(queries, 'idLeadMs'));
    ids.nextBare();
    await shared.whileCurrent(async () => {}, { writes: true });
    expect(await leadMs()).toBe(undefined);
    now = START;
    await shared.whileCurrent(async () => {});
    expect(await leadMs()).toBe(undefined);
    await shared.whileCurrent(async () => {}, { writes: true });
    expect(await leadMs()).toBe(HOUR + 1_000);
    const write = vi.spyOn(storage, 'write');
    now += 1;
    await shared.whileCurrent(async () => {}, { writes: true });
    expect(write).not.toHaveBeenCalled();
  });

  test('a step of a move does not wait for the disk, and the end of the move does', async () => {
    const { clock, shared } = startAlone();
    const write = vi.spyOn(storage, 'write');
    await shared.alone(async (mover) => {
      await mover.set(stepAt(START + HOUR));
      await mover.set(clock.stateAt(START + HOUR));
    });
    expect(write.mock.calls.map(([, options]) => options)).toEqual([{ waitsForDisk: false }, { waitsForDisk: true }]);
  });

  test('a step ends even if its end cannot be saved', async () => {
    const { clock, shared } = startAlone();
    const moved = shared.alone(async (mover) => {
      await mover.set(stepAt(START + HOUR));
      throw new Error('The disk is full.');
    });
    await expect(moved).rejects.toThrow('The disk is full.');
    expect(clock.state).toEqual({ offsetMs: HOUR, frozenAt: null });
  });
});
