import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { readDatabaseTime } from '../storage/statements/start.ts';

/**
 * How far a machine's clock may be off before it is corrected. Clocks that use NTP differ by less than a second. The
 * measurement is not exact, so smaller differences are ignored.
 */
const TOLERATED_MS = 1_000;

/**
 * Uses this machine's clock, or the database's clock if the two clocks differ by more than a second. Without this
 * correction, a node with a wrong clock would make retries too early or too late, and would sign with a time that
 * receivers reject. If this node moved the virtual clock, it would shift the clock of all nodes.
 */
export async function createSharedTime(storage: Pick<Storage, 'read'>, logger: Logger, ownNow: () => number) {
  let correctionMs = 0;

  /** Compares this machine's clock with the database's clock. */
  async function measure(): Promise<void> {
    const startedAt = ownNow();
    const database = await storage.read(readDatabaseTime);
    const tookMs = ownNow() - startedAt;
    const offMs = database - (startedAt + tookMs / 2);
    const isOff = Math.abs(offMs) > TOLERATED_MS + tookMs;
    if (isOff && correctionMs === 0)
      logger.warn({ offMs }, "this machine's clock is wrong; using the database's clock");
    correctionMs = isOff ? Math.round(offMs) : 0;
  }
  await measure();
  return { now: () => ownNow() + correctionMs, measure };
}
