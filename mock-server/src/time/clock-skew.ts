import { joinRuns } from '../runtime/join-runs.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { readDatabaseTime } from '../storage/statements/start.ts';

/** If NTP keeps two clocks in sync, their difference plus the measurement error is below this limit. */
const TOLERATED_MS = 1_000;

/**
 * Creates the real-time clock that all nodes share: this machine's clock, or the database's clock if the two differ by
 * more than a second. A node with a wrong clock would retry at the wrong time, sign with a time that receivers reject,
 * and move the virtual clock of all nodes to a wrong time.
 *
 * If this machine's clock jumps, the shared time continues without the jump until a new measurement succeeds.
 */
export async function createSharedTime(
  storage: Pick<Storage, 'read'>,
  logger: Logger,
  ownNow: () => number,
  elapsed: () => number = () => performance.now(),
) {
  let correctionMs = 0;
  /** How far this machine's clock was ahead of `elapsed()` at the last measurement. */
  let lead = ownNow() - elapsed();
  let hasFailed = false;

  const measure = joinRuns(async (): Promise<void> => {
    hasFailed = true;
    const startedAt = elapsed();
    const database = await storage.read(readDatabaseTime);
    const endedAt = elapsed();
    const own = ownNow();
    const tookMs = endedAt - startedAt;
    const offMs = database - (own - tookMs / 2);
    const isOff = Math.abs(offMs) > TOLERATED_MS + tookMs;
    if (isOff && correctionMs === 0)
      logger.warn({ offMs }, "this machine's clock is wrong; using the database's clock");
    correctionMs = isOff ? Math.round(offMs) : 0;
    lead = own - endedAt;
    hasFailed = false;
  });

  function now(): number {
    const own = ownNow();
    const expected = elapsed() + lead;
    if (Math.abs(own - expected) <= TOLERATED_MS) return own + correctionMs;
    // If the last measurement failed, wait for the regular measurement, which also reports the error.
    if (!hasFailed) measure().catch(() => {});
    return Math.round(expected) + correctionMs;
  }

  await measure();
  return { now, measure };
}
