import { bringLanesForward, findLateLanes } from '../../storage/delivery/mend-lanes.ts';
import type { DispatcherTools } from '../tools.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../tuning.ts';

/**
 * Creates a background check: if a lane's work is due before the lane's turn, the check sets the turn to the due time.
 * Call the returned function in each take. If a check is due, the function checks a limited number of lanes.
 *
 * @param onSwept - Called when turns have been moved, so that this node can claim the lanes.
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
        logger.warn(
          { lanes: late.length },
          'some lanes had work that was due before their turn; these lanes get an earlier turn',
        );
        onSwept();
      }
      after = last ?? '';
    } catch (error) {
      logger.error({ err: error }, 'cannot sweep the lanes');
    }
  };
}
