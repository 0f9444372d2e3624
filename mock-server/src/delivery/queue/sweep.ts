import { bringLanesForward, findLateLanes } from '../../storage/statements/lanes/mend.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../limits.ts';
import type { DispatcherTools } from '../tools.ts';

/** The dependencies of {@link createSweep}. */
export interface SweepOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers' | 'logger'> {
  /** Called when a sweep has made lanes claimable. */
  onSwept(): void;
}

/**
 * Checks all lanes in the background for late turns, a limited number of lanes at a time. Call the returned function
 * before each look at the queue. If a sweep is due, the function runs it. The function resolves when the sweep is done.
 */
export function createSweep({ storage, clock, timers, logger, onSwept }: SweepOptions): () => Promise<void> {
  let sweptAt = timers.now();
  let after = '';

  async function sweep(): Promise<void> {
    const now = clock.now();
    const { late, last } = await storage.read((queries) => findLateLanes(queries, { after, limit: SWEEP_LANES, now }));
    if (late.length > 0) {
      await storage.write((queries) => bringLanesForward(queries, late));
      logger.warn({ lanes: late.length }, 'lanes had work due before their turn; their turns were brought forward');
      onSwept();
    }
    after = last ?? '';
  }

  return async () => {
    if (timers.now() - sweptAt <= SWEEP_INTERVAL_MS) return;
    sweptAt = timers.now();
    try {
      await sweep();
    } catch (error) {
      logger.error({ err: error }, 'cannot sweep the lanes');
    }
  };
}
