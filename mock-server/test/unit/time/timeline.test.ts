import { describe, expect, test } from 'vitest';
import type { ClockState } from '../../../src/domain/clock-state.ts';
import { StorageUnavailableError } from '../../../src/storage/port.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { VirtualClock } from '../../../src/time/clock.ts';
import type { Mover, NodeReport } from '../../../src/time/shared-clock.ts';
import { createTimeline, type TimelineOptions } from '../../../src/time/timeline.ts';

type Work = TimelineOptions['work'][number];

const START = Date.parse('2031-03-01T00:00:00.000Z');
const MINUTE = 60_000;

/** Work that is finished at once. `done` records each piece with its time. */
function workAt(role: string, dues: readonly number[], done: string[], clock: VirtualClock): Work {
  const left = new Set(dues);
  return {
    role,
    async whenIdle() {
      for (const due of left) {
        if (due > clock.now()) continue;
        done.push(`${role} at ${(clock.now() - START) / MINUTE}`);
        left.delete(due);
      }
      return true;
    },
    isDue: async (at) => [...left].some((due) => due <= at),
    nextDueAfter: async (at) => [...left].filter((due) => due > at).sort((a, b) => a - b)[0],
  };
}

interface World {
  work?: (clock: VirtualClock) => readonly Work[];
  /** The roles of all nodes. */
  roles?: readonly string[] | (() => readonly string[]);
  /** What other nodes report for each state. */
  others?: readonly NodeReport[];
  realNow?: () => number;
}

async function startTimeline({
  work = () => [],
  roles = ['deliver', 'evaluate'],
  others = [],
  realNow = () => START,
}: World) {
  const storage = await openSqlite(':memory:');
  const clock = new VirtualClock(realNow);
  const states: ClockState[] = [];
  const lost = new AbortController();
  const mover: Mover = {
    signal: lost.signal,
    confirm: async () => lost.signal.throwIfAborted(),
    async set(state) {
      states.push(state);
      world.saving();
      clock.restore(state);
      const other = others[states.length - 1] ?? others.at(-1);
      return new Map(other ? [['other', other]] : []);
    },
  };
  const timeline = createTimeline({
    sharedClock: { alone: (move) => move(mover) },
    clock,
    storage,
    work: work(clock),
    report: () => ({ attempts: 0, evaluations: 0, clockShowed: clock.showedLast }),
    roles: async () => new Set(typeof roles === 'function' ? roles() : roles),
    unhealthyMaxMs: 100,
  });
  const world = { timeline, clock, states, lost, saving: () => {} };
  return Object.assign(world, { [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() });
}

const minutes = (states: readonly ClockState[]) =>
  states.map((state) => {
    if (state.moving) return `step ${(state.moving.at - START) / MINUTE}`;
    return state.frozenAt === null ? `run ${state.offsetMs / MINUTE}` : 'frozen';
  });

describe('Moving the clock', () => {
  test('runs several kinds of work in time order, each at its own time', async () => {
    const done: string[] = [];
    await using world = await startTimeline({
      work: (clock) => [
        workAt('deliver', [START, START + 5 * MINUTE, START + 30 * MINUTE], done, clock),
        workAt('evaluate', [START + 10 * MINUTE, START + 30 * MINUTE, START + 90 * MINUTE], done, clock),
      ],
    });
    await world.timeline.advance((now) => now + 60 * MINUTE);
    expect(done).toEqual(['deliver at 0', 'deliver at 5', 'evaluate at 10', 'deliver at 30', 'evaluate at 30']);
    expect(minutes(world.states)).toEqual(['step 0', 'step 5', 'step 10', 'step 30', 'run 60']);
  });

  test.each([
    ['counts the real time that passes', MINUTE, 60],
    ['never puts the clock back, although the real clock is set back', -MINUTE, 61],
  ])('an advance %s', async (_, passedMs, minutesAhead) => {
    let real = START;
    await using world = await startTimeline({
      realNow: () => real,
      work: (clock) => [
        {
          ...workAt('deliver', [], [], clock),
          async whenIdle() {
            real += passedMs;
            return true;
          },
        },
      ],
    });
    await world.timeline.advance((now) => now + 60 * MINUTE);
    expect(minutes(world.states)).toEqual(['step 0', `run ${minutesAhead}`]);
  });

  test('leaves work alone if no node does it', async () => {
    const done: string[] = [];
    await using world = await startTimeline({
      roles: ['api', 'evaluate'],
      work: (clock) => [
        workAt('deliver', [START + 5 * MINUTE], done, clock),
        workAt('evaluate', [START + 10 * MINUTE], done, clock),
      ],
    });
    await world.timeline.advance((now) => now + 60 * MINUTE);
    expect(done).toEqual(['evaluate at 10']);
  });

  test('includes work that only another node does, and counts the work of all nodes', async () => {
    const done: string[] = [];
    const reports = [7, 8, 12].map((attempts) => ({ attempts, evaluations: attempts - 7, clockShowed: START }));
    await using world = await startTimeline({
      roles: ['api', 'deliver'],
      others: reports,
      work: (clock) => [workAt('deliver', [START + 5 * MINUTE], done, clock)],
    });
    expect(await world.timeline.advance((now) => now + 60 * MINUTE)).toEqual({ attempts: 5, evaluations: 5 });
    expect(done).toEqual(['deliver at 5']);
  });

  test('does not wait forever for work whose last node is gone', async () => {
    let isThere = true;
    await using world = await startTimeline({
      roles: () => (isThere ? ['deliver'] : []),
      work: () => [
        {
          role: 'deliver',
          whenIdle: (signal) =>
            new Promise((resolve) => {
              isThere = false;
              signal.addEventListener('abort', () => resolve(false));
            }),
          isDue: async () => true,
          nextDueAfter: async () => undefined,
        },
      ],
    });
    await world.timeline.advance((now) => now + MINUTE);
    expect(world.clock.now()).toBe(START + MINUTE);
  });

  test('stops at the latest step if the lock is lost', async () => {
    await using world = await startTimeline({
      work: () => [
        {
          role: 'deliver',
          whenIdle: (signal) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve(false));
              world.lost.abort(new Error('The lock is lost.'));
            }),
          isDue: async () => true,
          nextDueAfter: async () => undefined,
        },
      ],
    });
    await expect(world.timeline.advance((now) => now + MINUTE)).rejects.toThrow('The lock is lost.');
    expect(world.clock.now()).toBe(START);
  });

  test('fails if the work that is due cannot be stored, so that a full disk does not block the clock forever', async () => {
    const stuck: Work = {
      role: 'deliver',
      whenIdle: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
      isDue: async () => true,
      nextDueAfter: async () => undefined,
      isHealthy: () => false,
    };
    await using world = await startTimeline({ work: () => [stuck] });
    const moved = world.timeline.advance((now) => now + MINUTE);
    await expect(moved).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'moved' });
    expect(minutes(world.states)).toEqual(['step 0', 'run 0']);
  });

  test('waits for work that takes long, and for work that can be stored again', async () => {
    const begunAt = performance.now();
    const isStuck = () => performance.now() - begunAt < 60;
    const slow: Work = {
      role: 'deliver',
      whenIdle: () => new Promise((resolve) => setTimeout(resolve, 250, true)),
      isDue: async () => performance.now() - begunAt < 250,
      nextDueAfter: async () => undefined,
      isHealthy: () => !isStuck(),
    };
    await using world = await startTimeline({ work: () => [slow] });
    await world.timeline.advance((now) => now + MINUTE);
    expect(minutes(world.states).at(-1)).toBe('run 1');
  });

  test.each(['unchanged', 'unknown'] as const)(
    'says that the clock may have moved if the database fails on the way, and what failed if it fails before (%s)',
    async (outcome) => {
      const unavailable = new StorageUnavailableError('The database is gone.', { outcome });
      const failing: Work = {
        role: 'deliver',
        whenIdle: async () => true,
        isDue: async () => false,
        nextDueAfter: async () => Promise.reject(unavailable),
      };
      await using world = await startTimeline({ work: () => [failing] });
      const moved = world.timeline.advance((now) => now + MINUTE);
      await expect(moved).rejects.toMatchObject({ message: 'The database is gone.', outcome: 'moved' });
      const refuse = () => {
        throw unavailable;
      };
      await expect(async () => world.timeline.advance(refuse)).rejects.toBe(unavailable);
    },
  );

  test('fails if the work is given up, and lets the clock run again', async () => {
    await using world = await startTimeline({
      work: () => [
        { role: 'deliver', whenIdle: async () => false, isDue: async () => true, nextDueAfter: async () => undefined },
      ],
    });
    const moved = world.timeline.advance((now) => now + MINUTE);
    await expect(moved).rejects.toMatchObject({ name: 'ClosingError', movedClock: true });
    expect(minutes(world.states)).toEqual(['step 0', 'run 0']);
  });

  test('does not wait for work that keeps being created, and makes steps only for older work', async () => {
    const bounds: (string | undefined)[] = [];
    await using world = await startTimeline({
      work: () => [
        {
          role: 'deliver',
          whenIdle: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
          isDue: async () => false,
          async nextDueAfter(_at, upToId) {
            bounds.push(upToId);
            return undefined;
          },
        },
      ],
    });
    await world.timeline.advance((now) => now + MINUTE);
    expect(bounds).toEqual(['']);
    expect(world.clock.now()).toBe(START + MINUTE);
  });
});

describe('Freezing the clock', () => {
  const frozenAfter = (states: readonly ClockState[]) =>
    states.map((state) => (state.frozenAt === null ? 'runs' : state.frozenAt - START));
  const showing = (clockShowed: number): NodeReport => ({ attempts: 0, evaluations: 0, clockShowed });

  test('stops it at the latest time that this node showed while the state was being saved', async () => {
    let real = START;
    await using world = await startTimeline({ realNow: () => real });
    world.saving = () => {
      real = START + 40;
    };
    await world.timeline.freeze();
    expect(frozenAfter(world.states)).toEqual([0, 40]);
  });

  test.for([
    { others: 'another node showed', showed: START + 700, stops: [0, 700] },
    { others: 'another node with a slower clock showed', showed: START - 700, stops: [0] },
    { others: 'a forged reply names', showed: START + 10 * MINUTE, stops: [0, 3_000] },
  ])('stops it at the time that $others, but at most 3 s ahead: $stops', async ({ showed, stops }) => {
    await using world = await startTimeline({ others: [showing(showed)] });
    await world.timeline.freeze();
    expect(frozenAfter(world.states)).toEqual(stops);
  });

  test('leaves a frozen clock where it is', async () => {
    await using world = await startTimeline({ others: [showing(START), showing(START + 700)] });
    await world.timeline.freeze();
    await world.timeline.freeze();
    expect(frozenAfter(world.states)).toEqual([0, 0]);
  });
});
