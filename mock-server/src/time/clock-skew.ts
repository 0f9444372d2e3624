import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { readDatabaseTime } from '../storage/statements/start.ts';

/**
 * The tolerated difference between a machine's clock and the database's clock. Clocks that use NTP differ by less than
 * a second. The measurement is not exact, so smaller differences are ignored.
 */
const TOLERATED_MS = 1_000;

/**
 * Creates the real time that all nodes share. This is the time of this machine's clock, or of the database's clock if
 * the two clocks differ by more than a second. If each node used its own machine's clock, a node with a wrong clock
 * would retry too early or too late, and would sign with a time that receivers reject. If a node with a wrong clock
 * moved the virtual clock, the virtual clock of all nodes would be wrong.
 *
 * If this machine's clock jumps, a new measurement begins immediately. Until the measurement succeeds, the time
 * continues without the jump.
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
  let measuring: Promise<void> | undefined;
  /** Whether the last measurement failed or has not ended. */
  let hasFailed = false;

  async function compare(): Promise<void> {
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
  }

  function measure(): Promise<void> {
    hasFailed = true;
    measuring ??= compare().finally(() => {
      measuring = undefined;
    });
    return measuring;
  }

  function now(): number {
    const own = ownNow();
    const expected = elapsed() + lead;
    if (Math.abs(own - expected) <= TOLERATED_MS) return own + correctionMs;
    // After a failure, leave the next try to the regular measurement, which also reports the error.
    if (!hasFailed) measure().catch(() => {});
    return Math.round(expected) + correctionMs;
  }

  await measure();
  return { now, measure };
}
