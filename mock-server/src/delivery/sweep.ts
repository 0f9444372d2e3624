import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { bringLanesForward, findLateLanes } from '../storage/statements/mend-lane-turns.ts';
import { sweepLeases } from '../storage/statements/sweep-leases.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from './limits.ts';

/** What a sweep works with. */
export interface SweepOptions {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** Called when a sweep made lanes claimable. */
  onSwept(): void;
}

/**
 * Repairs lanes in the background, a bounded number at a time: takes leases back that ran out, and walks over all lanes for
 * turns that come too late. Returns a function to call before each look at the queue; it sweeps when it is time to.
 */
export function createSweep({ storage, clock, logger, onSwept }: SweepOptions): () => void {
  let sweptAt = performance.now();
  let after = '';

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

  return () => {
    if (performance.now() - sweptAt <= SWEEP_INTERVAL_MS) return;
    sweptAt = performance.now();
    sweep().catch((error: unknown) => logger.error({ err: error }, 'cannot sweep the lanes'));
  };
}
