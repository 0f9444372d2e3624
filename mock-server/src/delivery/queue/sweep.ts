import { bringLanesForward, findLateLanes } from '../../storage/delivery/mend-lanes.ts';
import type { DispatcherTools } from '../tools.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../tuning.ts';

/** Checks some free lanes in the background, and corrects turns that are missing or too late. */
export function createSweep({ storage, clock, timers, logger }: DispatcherTools, onSwept: () => void) {
  let sweptAt = timers.now();
  let after = '';
  let running = Promise.resolve();

  async function run(): Promise<void> {
    try {
      const from = { after, limit: SWEEP_LANES, now: clock.now() };
      const { late, last } = await storage.read((queries) => findLateLanes(queries, from));
      if (late.length > 0) {
        await storage.write((queries) => bringLanesForward(queries, late));
        logger.warn(
          { lanes: late.length },
          'some lanes had a turn that was later than their first due delivery; these turns are now earlier',
        );
        onSwept();
      }
      after = last ?? '';
    } catch (error) {
      logger.error({ err: error }, 'cannot sweep the lanes');
    }
  }

  return {
    /** Call this in each take. Starts a check if one is due. */
    start(): void {
      if (timers.now() - sweptAt <= SWEEP_INTERVAL_MS) return;
      sweptAt = timers.now();
      running = running.then(run);
    },
    ended: () => running,
  };
}
