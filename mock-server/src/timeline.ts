import { highestIdAt, timeOfId } from './domain/id-time.ts';
import type { Timeline } from './http/services.ts';
import { type Instant, REAL_TIME, type VirtualClock } from './runtime/clock.ts';
import type { Ids } from './runtime/ids.ts';
import type { Storage } from './storage/port.ts';
import type { Turn } from './storage/postgres/turn.ts';
import { findSetting } from './storage/statements/find-setting.ts';
import { raiseIdLead } from './storage/statements/raise-id-lead.ts';
import { saveSetting } from './storage/statements/save-setting.ts';

/** What has work at certain times: the delivery engine and, in time, the evaluation schedule. */
interface Worker {
  pause(): Promise<void>;
  resume(): void;
  runDue(upToId?: string): Promise<number>;
  nextDueAt(): Promise<Instant | undefined>;
  nextDueLater(upToId?: string): Promise<Instant | undefined>;
  status(): Promise<{ pending: number; inFlight: number; nextDueAt: Instant | undefined }>;
  whenIdle(signal: AbortSignal): Promise<boolean>;
}

/** What a timeline moves, and whom it tells. */
export interface TimelineOptions {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  deliveries: Worker;
  /** The latest reset of the data as it was found at the start. */
  lastReset: string | undefined;
  /** The other nodes that go by the same clock; undefined where there can be none. */
  fleet: Fleet | undefined;
}

interface Fleet {
  /** Waits until no other node moves the clock. */
  takeTurn(): Promise<Turn>;
  /** Tells the other nodes that the clock was moved. */
  announce(): Promise<void>;
}

/** A timeline, with what else must not happen while the clock is moved. */
export interface OwnTimeline extends Timeline {
  /** Does something while no node moves the clock, and tells the others. `turn` is undefined where there are none. */
  alone<Result>(work: (turn: Turn | undefined) => Promise<Result>): Promise<Result>;
  /** This server itself wiped the data. */
  wasReset(reset: string): void;
}

/** Steps in which all that falls due has its own time, whenever it was created. */
const WHOLE_STEPS_MAX = 1_000;

/**
 * While the clock is frozen, each node's ids rise from where that node stood when it heard of it: they are apart by less
 * than this, and in no order. Then what is created meanwhile has no time of its own either.
 */
const FROZEN_IDS_MS = 5_000;

/** Moves virtual time step by step: to each instant at which something falls due, and only from there to the next. */
export function createTimeline({ clock, ids, storage, deliveries, fleet, lastReset }: TimelineOptions): OwnTimeline {
  let knownReset = lastReset;
  /** Whether this node itself is changing the clock: then there is nobody to follow. */
  let isChanging = false;
  const inTurn = createQueue();
  // Apart from the turns: a node that waits for its turn still follows what the one that has it does to the clock.
  const onClock = createQueue();
  const save = () => storage.write((queries) => saveSetting(queries, 'clock', clock.state));

  const alone: OwnTimeline['alone'] = (work) =>
    inTurn(async () => {
      await using turn = await fleet?.takeTurn();
      // Already now: who looks at the clock from here on would wait behind the change.
      isChanging = true;
      const result = await onClock(async () => {
        await follow();
        const { state } = clock;
        try {
          return await work(turn);
        } catch (error) {
          // As it was saved, so is it; what a fleet saved is read again before the next change.
          clock.restore(state);
          throw error;
        }
      }).finally(() => {
        isChanging = false;
      });
      await fleet?.announce();
      return result;
    });

  /** Takes over what another node did to the clock. */
  async function follow(): Promise<void> {
    if (!fleet) return;
    const { state, reset } = await storage.read(async (queries) => ({
      state: (await findSetting(queries, 'clock')) ?? REAL_TIME,
      reset: await findSetting(queries, 'reset'),
    }));
    if (reset !== knownReset) {
      // All rows are gone. Servers whose ids went on from where each of them stood would draw in no common order.
      knownReset = reset;
      clock.restore(state);
      ids.restart();
      return;
    }
    if (state.offsetMs === clock.state.offsetMs && state.frozenAt === clock.state.frozenAt) return;
    // Ids rise beyond those that any node drew before, also where the clock is set back now.
    ids.nextBare();
    clock.restore(state);
  }

  async function advanceTo(target: Instant, turn: Turn | undefined) {
    await deliveries.pause();
    const { state } = clock;
    const latestId = highestIdAt(
      'webhookDelivery',
      timeOfId(ids.nextBare()) + (state.frozenAt === null ? 0 : FROZEN_IDS_MS),
    );
    let upToId: string | undefined;
    let attempts = 0;
    try {
      let due = await deliveries.nextDueAt();
      for (let steps = 1; due !== undefined && due <= target; steps++) {
        turn?.check();
        clock.hold(Math.max(due, clock.now()));
        attempts += await deliveries.runDue(upToId);
        // What is due still is somebody else's, or was created meanwhile: it is left to them, and to the next step.
        const dueStill = await deliveries.nextDueAt();
        // While more keeps coming, its retries would fall due on the way faster than they can be run: only what was
        // there before has a step of its own then.
        if (steps >= WHOLE_STEPS_MAX || (dueStill !== undefined && dueStill <= clock.now())) upToId = latestId;
        due = await deliveries.nextDueLater(upToId);
      }
      turn?.check();
      clock.moveTo(Math.max(target, clock.now()));
      await save();
    } catch (error) {
      // Before work goes on: retention would go by a time that never came.
      clock.restore(state);
      throw error;
    } finally {
      clock.release();
      deliveries.resume();
    }
    return { attempts, evaluations: 0 };
  }

  return {
    alone,
    wasReset(reset) {
      knownReset = reset;
    },
    advance: (targetFrom) => alone((turn) => advanceTo(targetFrom(clock.now()), turn)),
    freeze: () =>
      alone(async () => {
        clock.freeze();
        await save();
      }),
    reset: () =>
      alone(async () => {
        const before = clock.now();
        // As in `follow`: what another server drew by the clock as it was lies below what this one draws next.
        ids.nextBare();
        clock.reset();
        await storage.write(async (queries) => {
          await saveSetting(queries, 'clock', clock.state);
          await raiseIdLead(queries, before - clock.now());
        });
      }),
    async refresh() {
      if (!isChanging) await onClock(follow);
    },
    async settle(timeoutMs) {
      const settled = await deliveries.whenIdle(AbortSignal.timeout(timeoutMs));
      return { settled, ...(await deliveries.status()) };
    },
  };
}

/** Runs pieces of work one at a time, in the order in which they come. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
