import { type ClockState, released } from '../domain/clock-state.ts';
import type { Instant } from '../domain/instant.ts';
import type { Logger } from '../runtime/logger.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import type { StorageUnavailableError } from '../storage/port.ts';
import { saveSetting } from '../storage/statements/settings.ts';
import { createCurrentData } from './current-data.ts';
import { createKnownClock, type KnownClockOptions } from './known-clock.ts';

/*
 * Only the node that has the lock can change the clock. That node saves each change before any node uses the change, so
 * no node is ever ahead of the stored clock. `virtual-time.ts` defines the terms.
 */

/** How many attempts and evaluations a node has finished since it started. */
export interface NodeReport {
  attempts: number;
  evaluations: number;
  /** The time that the node's clock showed just before the clock's state last changed. */
  clockShowed: Instant;
}

export interface ClockFleet {
  lockClock(): Promise<ClockLock>;
  isClockLocked(): Promise<boolean>;
  /** The roles of all nodes that are connected now, or were connected in the last 12 s. */
  roles(): Promise<ReadonlySet<string>>;
}

/** The lock on the clock. The lock is lost if the process dies or is suspended. */
export interface ClockLock extends AsyncDisposable {
  /** Aborted when the lock is lost. The signal's reason is an error that the holder of the lock can throw. */
  signal: AbortSignal;
  /** Asks the database for the lock's state. @throws {@link StorageUnavailableError} if the lock is lost. */
  confirm(): Promise<void>;
  /** When the database last responded over the lock's connection, by the process's monotonic clock. */
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
   * Checks that this node still has the lock. Call this at the end of a long transaction, before the commit.
   *
   * @throws {@link StorageUnavailableError} if the lock is lost.
   */
  confirm(): Promise<void>;
  /**
   * Saves the state and makes every node use it. Resolves to the reports of the other nodes.
   *
   * @throws {@link StorageUnavailableError} if the lock is lost or the database is unreachable. In these cases, this
   *   node's clock does not change.
   */
  set(state: ClockState): Promise<ReadonlyMap<string, NodeReport>>;
}

export type SharedClock = ReturnType<typeof createSharedClock>;

export interface SharedClockOptions extends Omit<KnownClockOptions, 'isShared'> {
  logger: Logger;
  /** `undefined` if there can be no other nodes. */
  fleet: ClockFleet | undefined;
}

export function createSharedClock(options: SharedClockOptions) {
  const { clock, storage, logger, fleet } = options;
  const isShared = fleet !== undefined;
  const known = createKnownClock({ ...options, isShared });
  const { use } = known;
  /** The lock, while this node has it. During this time, the node ignores clock states from other nodes. */
  let held: Pick<ClockLock, 'heardAt'> | undefined;
  let isRepairing = false;
  const inOrder = createTaskQueue();
  // Clock states are handled one at a time, so that an older state never replaces a newer state.
  const states = createTaskQueue();

  /** Runs `work` while no other call and no other node changes the clock. Throws if `caller` is aborted before that. */
  const alone = <Result>(work: (mover: Mover) => Promise<Result>, caller?: AbortSignal): Promise<Result> =>
    inOrder(async () => {
      await using lock = await fleet?.lockClock();
      held = lock ?? { heardAt: () => 0 };
      try {
        await states(known.read);
        caller?.throwIfAborted();
        return await work({
          signal: lock?.signal,
          confirm: async () => lock?.confirm(),
          set: (state) => save(lock, state),
        });
      } catch (error) {
        // If the lock was lost, another node may have changed the clock, so read the clock again.
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
    // A step does not have to wait for the disk: the step's work is written later, so a power failure that undoes the
    // step also undoes the work.
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

  const read = () => states(known.read);
  const hear = () => states(async () => (held ? undefined : known.read()));
  const currentData = createCurrentData({ storage, known, isShared, lockHeardAt: () => held?.heardAt(), read, hear });

  return {
    alone,
    /** Reads the clock from the database. If the mover died during a step, ends the step. */
    async refresh(): Promise<void> {
      if (held) return;
      await read();
      if (clock.state.moving)
        repair().catch((error: unknown) => logger.warn({ err: error }, 'cannot end the unfinished step of the clock'));
    },
    ...currentData,
    /** The id of the latest reset or restore that this node knows about, if any. */
    latestReset: known.reset,
    /** Reads the clock state that the mover has saved, and applies it. */
    hear,
    wasReset: known.wasReset,
    followOtherIds: known.followOtherIds,
  };
}
