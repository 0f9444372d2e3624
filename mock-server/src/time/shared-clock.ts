import { setTimeout as delay } from 'node:timers/promises';
import { type ClockState, released } from '../domain/clock-state.ts';
import type { Logger } from '../runtime/logger.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import type { SameData } from '../storage/checked-writes.ts';
import { DataReplacedError, StorageUnavailableError } from '../storage/port.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';
import { together } from '../storage/together.ts';
import { waitForWipe } from '../storage/wipe.ts';
import { createKnownClock, type KnownClockOptions } from './known-clock.ts';

/*
 * Only the node that has the lock can change the clock. It saves each change before any node uses it, so no node is
 * ever ahead of the stored clock. `virtual-time.ts` defines the terms.
 */

/** How many attempts and evaluations a node has finished since it started. */
export interface NodeReport {
  attempts: number;
  evaluations: number;
}

export interface ClockFleet {
  lockClock(): Promise<ClockLock>;
  isClockLocked(): Promise<boolean>;
  /** The roles of all nodes that are connected now, or were connected in the last 12 s. */
  roles(): Promise<ReadonlySet<string>>;
}

/** The lock on the clock. It is lost if the process dies or is suspended. */
export interface ClockLock extends AsyncDisposable {
  /** Aborted with an error to throw when the lock is lost. */
  signal: AbortSignal;
  /** Asks the database. @throws {@link StorageUnavailableError} if the lock is lost. */
  confirm(): Promise<void>;
  /** When the database last responded on the lock's connection, on the process's monotonic clock. */
  heardAt(): number;
  /**
   * Saves the state, unless the lock is lost, and notifies the other nodes. Resolves to the nodes' reports when all
   * other nodes have replied, or after a second. `onSaved` is called as soon as the state is saved.
   */
  save(state: ClockState, onSaved: () => void): Promise<ReadonlyMap<string, NodeReport>>;
}

export interface Mover {
  /** Aborted when the lock is lost. `undefined` if there can be no other nodes. */
  signal: AbortSignal | undefined;
  /**
   * Call this at the end of a long transaction, before the commit.
   *
   * @throws {@link StorageUnavailableError} if the lock is lost.
   */
  confirm(): Promise<void>;
  /**
   * Saves the state and makes every node use it. Resolves to the reports of the other nodes.
   *
   * @throws {@link StorageUnavailableError} if the lock is lost or the database is unreachable. This node's clock then
   *   does not change.
   */
  set(state: ClockState): Promise<ReadonlyMap<string, NodeReport>>;
}

export type SharedClock = ReturnType<typeof createSharedClock>;

export interface SharedClockOptions extends Omit<KnownClockOptions, 'isShared'> {
  logger: Logger;
  /** `undefined` if there can be no other nodes. */
  fleet: ClockFleet | undefined;
}

interface CurrentOptions {
  sameData?: SameData;
  triesMax?: number | undefined;
  writes?: boolean;
}

/** Each node reads the clock once a second. After this time without a read, the node was suspended or disconnected. */
const CURRENT_MS = 5_000;
const NOT_HEARD = 'This server is moving the clock, but the database has not responded for several seconds';

/**
 * If the data is replaced during a request, the request runs again, up to `TRIES` times in all. `TRY_AGAIN_MS` is the
 * first wait. Each further wait is four times as long.
 */
const TRIES = 5;
const TRY_AGAIN_MS = 5;

export function createSharedClock(options: SharedClockOptions) {
  const { clock, storage, logger, fleet } = options;
  const known = createKnownClock({ ...options, isShared: fleet !== undefined });
  const { use } = known;
  /** Present while this node has the lock. This node then ignores the clock states of other nodes. */
  let held: Pick<ClockLock, 'heardAt'> | undefined;
  let isRepairing = false;
  const inOrder = createTaskQueue();
  // One at a time, so that an older state never replaces a newer state.
  const states = createTaskQueue();

  /** Runs `work` while no other call and no other node changes the clock. */
  const alone = <Result>(work: (mover: Mover) => Promise<Result>): Promise<Result> =>
    inOrder(async () => {
      await using lock = await fleet?.lockClock();
      held = lock ?? { heardAt: () => 0 };
      try {
        await states(known.read);
        return await work({
          signal: lock?.signal,
          confirm: async () => lock?.confirm(),
          set: (state) => save(lock, state),
        });
      } catch (error) {
        // If the lock was lost, another node may have changed the clock.
        await known.read().catch(() => {});
        // Without other nodes, this node must end the unfinished step itself, here or at its next start.
        if (!fleet && clock.state.moving) use(clock.stateAt(clock.now()));
        throw error;
      } finally {
        held = undefined;
      }
    });

  async function save(lock: ClockLock | undefined, next: ClockState): Promise<ReadonlyMap<string, NodeReport>> {
    const state = await known.withIdsAfter(next);
    if (lock) return await lock.save(state, () => use(state));
    // A step need not wait for the disk: its work is written later, so a power failure that undoes the step also undoes
    // its work.
    const options = { waitsForDisk: state.moving === undefined };
    await storage.write((queries) => saveSetting(queries, 'clock', state), options);
    use(state);
    return new Map();
  }

  /** If a mover died during a step, ends this step. */
  async function repair(): Promise<void> {
    if (isRepairing || held || (await fleet?.isClockLocked())) return;
    isRepairing = true;
    try {
      await alone(async (mover) => {
        if (!clock.state.moving) return;
        await mover.set(released(clock.state));
        logger.warn('the node that was moving the clock is gone; the clock continues from its last step');
      });
    } finally {
      isRepairing = false;
    }
  }

  /**
   * Resolves when this node's clock is current. After a suspension or a disconnection, reads the clock again: another
   * node may have set the clock back, and this node must not accept data with a time in the future.
   *
   * @throws {@link StorageUnavailableError} if this node cannot tell whether it still has the lock.
   */
  async function ensureCurrent(): Promise<void> {
    const heardAt = Math.max(known.at(), held?.heardAt() ?? 0);
    if (!fleet || performance.now() - heardAt <= CURRENT_MS) return;
    if (held) throw new StorageUnavailableError(NOT_HEARD, { outcome: 'unchanged' });
    await states(known.read);
  }

  /**
   * Returns functions that throw if the data has been replaced since this call. Call this before you read the rights of
   * a caller, and before you choose the times and ids of a write. Otherwise, after a reset, a caller with rights in the
   * old data could use the data of another tenant, or a delivery could get a due time from the old clock.
   */
  function expectSameData(): SameData {
    const expected = known.reset();
    const check = (reset: string | undefined) => {
      if (reset !== expected) throw new DataReplacedError();
    };
    return {
      async checkWrite(queries) {
        const [, reset] = await together([waitForWipe(queries), findSetting(queries, 'reset')]);
        check(reset);
      },
      checkRead: async () => check(await storage.read((queries) => findSetting(queries, 'reset'))),
    };
  }

  const hear = (): Promise<void> =>
    states(async () => {
      if (!held) await known.read();
    });

  return {
    alone,
    /** Reads the clock from the database. If the mover died during a step, ends the step. */
    async refresh(): Promise<void> {
      if (held) return;
      await states(known.read);
      if (clock.state.moving)
        repair().catch((error: unknown) => logger.warn({ err: error }, 'cannot end the unfinished step of the clock'));
    },
    /**
     * Handles a request while this node's clock is current. If the data was replaced meanwhile, handles it again.
     *
     * @param handle - Handles the request once. Gets checks that throw if the data has been replaced: first `sameData`,
     *   if given, and then new checks.
     * @param options - `triesMax`: use 1 if the request's body is a stream, which cannot be read again. `writes`:
     *   whether the request may create rows, and needs ids above those of the other nodes.
     * @throws {@link StorageUnavailableError} if this node cannot tell whether its clock is current.
     */
    async whileCurrent<Result>(
      handle: (sameData: SameData) => Promise<Result>,
      { sameData, triesMax = TRIES, writes = false }: CurrentOptions = {},
    ): Promise<Result> {
      await ensureCurrent();
      if (writes) await known.followOtherIds();
      for (let tries = 1; ; tries++) {
        try {
          return await handle((tries === 1 && sameData) || expectSameData());
        } catch (error) {
          if (!(error instanceof DataReplacedError) || tries === triesMax) throw error;
          // A node that replaces the data uses the new clock only when its commit is on the disk. Until then, a new try
          // would fail, too.
          await delay(TRY_AGAIN_MS * 4 ** (tries - 1));
          await hear();
        }
      }
    },
    expectSameData,
    /** The id of the latest reset or restore that this node knows about, if any. */
    latestReset: known.reset,
    /** Reads the clock state that the mover has saved, and uses it. */
    hear,
    wasReset: known.wasReset,
    followOtherIds: known.followOtherIds,
  };
}
