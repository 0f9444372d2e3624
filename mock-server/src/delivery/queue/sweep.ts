import { createWorkLoop } from '../../runtime/work-loop.ts';
import { bringLanesForward, findLanesToMend, removeIdleLanes } from '../../storage/delivery/mend-lanes.ts';
import { StorageUnavailableError } from '../../storage/port.ts';
import type { DispatcherTools } from '../tools.ts';
import { SWEEP_INTERVAL_MS, SWEEP_LANES } from '../tuning.ts';

/**
 * Walks through the free lanes in the background. Corrects turns that are missing or too late, and deletes the empty
 * lanes of deleted endpoints.
 */
export function createSweep({ storage, clock, timers, logger }: DispatcherTools, onLate: () => void) {
  let after = '';

  async function sweep(): Promise<void> {
    const from = { after, limit: SWEEP_LANES, now: clock.now() };
    const { late, idle, last } = await storage.read((queries) => findLanesToMend(queries, from));
    if (idle.length > 0) await storage.write((queries) => removeIdleLanes(queries, idle));
    if (late.length > 0) {
      await storage.write((queries) => bringLanesForward(queries, late));
      logger.warn(
        { lanes: late.length },
        'some lanes had a turn that was later than their first due delivery; these turns are now earlier',
      );
      onLate();
    }
    after = last ?? '';
    sweeping.requestIn(SWEEP_INTERVAL_MS);
  }

  // The dispatcher reports an unreachable database.
  const failed = (error: unknown) => {
    if (!(error instanceof StorageUnavailableError)) logger.error({ err: error }, 'cannot sweep the lanes');
  };
  const sweeping = createWorkLoop({ run: sweep, failed, timers });
  sweeping.requestIn(SWEEP_INTERVAL_MS);
  return sweeping;
}
