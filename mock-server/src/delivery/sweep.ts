import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { findLaneHolders } from '../storage/statements/find-lane-holders.ts';
import { freeLanesOf } from '../storage/statements/free-lanes-of.ts';
import { bringLanesForward, findLateLanes } from '../storage/statements/mend-lane-turns.ts';
import { sweepLeases } from '../storage/statements/sweep-leases.ts';
import { GONE_LOOK_INTERVAL_MS, SWEEP_INTERVAL_MS, SWEEP_LANES } from './limits.ts';

/** The parts of a sweep. */
export interface SweepOptions {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** Whether a node is gone. Undefined if there can be no other nodes. */
  isGone: ((node: string) => boolean) | undefined;
  /** Called when a sweep has made lanes claimable. */
  onSwept(): void;
}

/**
 * Repairs lanes in the background. It takes back expired leases, frees the lanes of dead nodes and checks all lanes for
 * late turns, a limited number at a time. Call the returned function before each look at the queue. It sweeps if it is
 * time to, and resolves when that is done.
 */
export function createSweep({ storage, clock, logger, isGone, onSwept }: SweepOptions): () => Promise<void> {
  let sweptAt = performance.now();
  let after = '';
  let freedAt = performance.now();

  async function freeLanesOfGone(): Promise<void> {
    if (!isGone || performance.now() - freedAt < GONE_LOOK_INTERVAL_MS) return;
    freedAt = performance.now();
    const gone = (await storage.read(findLaneHolders)).filter(isGone);
    const freed = gone.length > 0 ? await storage.write((queries) => freeLanesOf(queries, gone)) : 0;
    if (freed === 0) return;
    logger.warn({ nodes: gone, lanes: freed }, 'servers are gone; their lanes were taken back');
    onSwept();
  }

  async function sweep(): Promise<void> {
    const taken = await storage.write(sweepLeases);
    if (taken > 0) logger.warn({ lanes: taken }, 'leases expired and were taken back');
    const now = clock.now();
    const { late, last } = await storage.read((queries) => findLateLanes(queries, { after, limit: SWEEP_LANES, now }));
    if (late.length > 0) {
      await storage.write((queries) => bringLanesForward(queries, late));
      logger.warn({ lanes: late.length }, 'lanes had work due before their turn; their turns were brought forward');
    }
    after = last ?? '';
    if (taken > 0 || late.length > 0) onSwept();
  }

  /** @returns whether it is time to sweep. */
  function isTime(): boolean {
    if (performance.now() - sweptAt <= SWEEP_INTERVAL_MS) return false;
    sweptAt = performance.now();
    return true;
  }

  return async () => {
    try {
      await Promise.all([freeLanesOfGone(), isTime() && sweep()]);
    } catch (error) {
      logger.error({ err: error }, 'cannot sweep the lanes');
    }
  };
}
