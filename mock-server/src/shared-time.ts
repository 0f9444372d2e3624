import type { Logger } from './runtime/logger.ts';
import type { Storage } from './storage/port.ts';
import { readDatabaseTime } from './storage/statements/read-database-time.ts';

/** The real time, as the nodes of a fleet agree on it. */
export interface SharedTime {
  now(): number;
  /** Compares this machine's clock with the database's. */
  measure(): Promise<void>;
}

/** What a machine may be off before its clock is corrected: clocks that NTP keeps differ by less, and a measurement errs. */
const TOLERATED_MS = 1_000;

/**
 * Goes by this machine's clock, and by the database's where the two are more than a second apart. A node whose clock is
 * off would otherwise make retries early or late, sign with a time that receivers refuse, and move everybody's virtual
 * clock when it moves its own.
 */
export async function createSharedTime(
  storage: Pick<Storage, 'read'>,
  logger: Logger,
  ownNow: () => number,
): Promise<SharedTime> {
  let correctionMs = 0;
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
