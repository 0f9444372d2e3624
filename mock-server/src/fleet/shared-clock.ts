import { type ClockState, REAL_TIME, released, type VirtualClock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/find-setting.ts';
import { saveSetting } from '../storage/statements/save-setting.ts';
import { createQueue } from './queue.ts';

/*
 * Glossary
 *
 * turn   The right to change the clock. One node at a time has it; a dead or frozen node loses it.
 * step   The clock stands still at one instant until everything due there is done.
 * mover  The node that has the turn.
 *
 * A change is saved before any node uses it, and only a node that has the turn can save. So no node is ever ahead of the
 * stored clock, and a crash leaves the clock at the last step.
 */

/** What this node tells the mover about itself. */
export interface NodeReport {
  roles: readonly string[];
  /** Attempts and evaluations that this node has finished since it started. */
  attempts: number;
  evaluations: number;
}

/** The other nodes on the database. */
export interface ClockFleet {
  /** Waits until no other node has the turn. */
  takeTurn(): Promise<ClockTurn>;
  /** Whether any node has the turn, this one included. */
  isTurnTaken(): Promise<boolean>;
}

/** The turn among the nodes. */
export interface ClockTurn extends AsyncDisposable {
  /** Aborted when the turn is lost. Its reason is the error to throw. */
  signal: AbortSignal;
  /**
   * Saves the state, unless the turn is lost, and tells the other nodes. Resolves with their reports by node, once each
   * has answered or has been silent for a second.
   *
   * @param onSaved - Called as soon as the state is saved.
   */
  save(state: ClockState, onSaved: () => void): Promise<ReadonlyMap<string, NodeReport>>;
}

/** Changes the clock, for as long as this node has the turn. */
export interface Mover {
  /** Aborted when the turn is lost; undefined without other nodes. */
  signal: AbortSignal | undefined;
  /**
   * Saves the state and lets every node use it.
   *
   * @returns the reports of the other nodes, by node.
   * @throws {@link StorageUnavailableError} if the turn is lost or the database is away; then the clock stays as it is.
   */
  set(state: ClockState): Promise<ReadonlyMap<string, NodeReport>>;
}

/** The virtual clock that all nodes on a database share. */
export interface SharedClock {
  /** Runs `work` while no other call and no other node changes the clock. */
  alone<Result>(work: (mover: Mover) => Promise<Result>): Promise<Result>;
  /** Reads the clock from the database, and ends the step of a mover that died. */
  refresh(): Promise<void>;
  /** Uses a state that the mover has saved. */
  hear(state: ClockState): Promise<void>;
  /** Tells this node that it wiped the data itself. */
  wasReset(reset: string): void;
}

/** What a shared clock works with. */
export interface SharedClockOptions {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  logger: Logger;
  /** The latest reset of the data, as found at the start. */
  lastReset: string | undefined;
  /** Called when this node starts to use another state. */
  onChange(): void;
  /** Undefined if there can be no other node. */
  fleet: ClockFleet | undefined;
}

/** Shares one virtual clock between this node and the others on its database. */
export function createSharedClock(options: SharedClockOptions): SharedClock {
  const { clock, ids, storage, logger, fleet, onChange } = options;
  let knownReset = options.lastReset;
  /** Whether this node has the turn: then it follows nobody. */
  let hasTurn = false;
  let isRepairing = false;
  const turns = createQueue();
  // States are used in the order in which they were saved: one that was read is never used after a later one was heard.
  const states = createQueue();

  function use(state: ClockState): void {
    // Ids keep rising on every node if the clock is set back: this draws one above all that came before.
    if (clock.nowIn(state) < clock.now()) ids.nextBare();
    clock.restore(state);
    if (state.moving) ids.riseAbove(state.moving.afterId);
    onChange();
  }

  /** Reads the clock as it is stored. */
  async function follow(): Promise<void> {
    if (!fleet) return;
    const { state, reset } = await storage.read(async (queries) => ({
      state: (await findSetting(queries, 'clock')) ?? REAL_TIME,
      reset: await findSetting(queries, 'reset'),
    }));
    if (reset !== knownReset) {
      // All rows are gone. If each node's ids continued where that node stood, they would not rise together.
      knownReset = reset;
      use(state);
      ids.restart();
      return;
    }
    if (!isSame(state, clock.state)) use(state);
  }

  const alone: SharedClock['alone'] = (work) =>
    turns(async () => {
      await using turn = await fleet?.takeTurn();
      hasTurn = true;
      try {
        await states(follow);
        return await work({ signal: turn?.signal, set: (state) => save(turn, state) });
      } catch (error) {
        // If the turn was lost, another node may have changed the clock since.
        await follow().catch(() => {});
        throw error;
      } finally {
        hasTurn = false;
      }
    });

  async function save(turn: ClockTurn | undefined, state: ClockState): Promise<ReadonlyMap<string, NodeReport>> {
    if (turn) return await turn.save(state, () => use(state));
    await storage.write((queries) => saveSetting(queries, 'clock', state));
    use(state);
    return new Map();
  }

  /** Ends the step of a mover that died, so that the clock runs on from there. */
  async function repair(): Promise<void> {
    if (isRepairing || hasTurn || (await fleet?.isTurnTaken())) return;
    isRepairing = true;
    try {
      await alone(async (mover) => {
        if (!clock.state.moving) return;
        await mover.set(released(clock.state));
        logger.warn('the node that moved the clock is gone; the clock continues from where it stood');
      });
    } finally {
      isRepairing = false;
    }
  }

  return {
    alone,
    async refresh() {
      if (hasTurn) return;
      await states(follow);
      if (clock.state.moving)
        repair().catch((error: unknown) => logger.warn({ err: error }, 'cannot repair the clock'));
    },
    hear: (state) =>
      states(async () => {
        if (!hasTurn && !isSame(state, clock.state)) use(state);
      }),
    wasReset(reset) {
      knownReset = reset;
    },
  };
}

const isSame = (a: ClockState, b: ClockState) =>
  a.offsetMs === b.offsetMs &&
  a.frozenAt === b.frozenAt &&
  a.moving?.at === b.moving?.at &&
  a.moving?.afterId === b.moving?.afterId;
