import { bringLanesForward, findLateLanes } from '../../storage/statements/lanes/mend.ts';
import type { DispatcherTools } from '../tools.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../tuning.ts';

/**
 * Checks all lanes in the background for late turns, a limited number of lanes at a time. Call the returned function
 * before each look at the queue. If a sweep is due, the function runs it. The function resolves when the sweep is done.
 *
 * @param onSwept - Called when a sweep has made lanes claimable.
 */
export function createSweep({ storage, clock, timers, logger }: DispatcherTools, onSwept: () => void) {
  let sweptAt = timers.now();
  let after = '';

  return async (): Promise<void> => {
    if (timers.now() - sweptAt <= SWEEP_INTERVAL_MS) return;
    sweptAt = timers.now();
    try {
      const from = { after, limit: SWEEP_LANES, now: clock.now() };
      const { late, last } = await storage.read((queries) => findLateLanes(queries, from));
      if (late.length > 0) {
        await storage.write((queries) => bringLanesForward(queries, late));
        logger.warn({ lanes: late.length }, 'lanes had work due before their turn; their turns were brought forward');
        onSwept();
      }
      after = last ?? '';
    } catch (error) {
      logger.error({ err: error }, 'cannot sweep the lanes');
    }
  };
}
