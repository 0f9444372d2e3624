import { API_HEADERS } from '@svc/contract';
import type { Metrics } from '../runtime/metrics.ts';
import type { Queries, Storage } from '../storage/port.ts';
import { ApiError } from './errors.ts';

/** What makes deliveries: events, test events and replays. */
export interface Intake {
  /**
   * Writes what makes deliveries, as one transaction.
   *
   * @param count - Events and replays that the work writes.
   * @throws 503 `UNAVAILABLE` with `Retry-After` where too much waits to be written; nothing is changed then.
   */
  accept<Result>(count: number, work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** Events and replays that may wait to be written at a time, on one node. */
export const INTAKE_MAX = 10_000;

/**
 * Bounds what waits for the database. A database that is slow, or blocked, would otherwise be asked for more and more,
 * all of it held in memory, and every caller would wait behind all the others. A call that is larger than the bound is
 * taken when nothing waits.
 */
export function createIntake(
  storage: Pick<Storage, 'write'>,
  metrics: Pick<Metrics, 'intakeRefused'>,
  max: number = INTAKE_MAX,
): Intake {
  let waiting = 0;
  return {
    async accept(count, work) {
      if (waiting > 0 && waiting + count > max) {
        metrics.intakeRefused();
        throw new ApiError('UNAVAILABLE', `${waiting} events wait to be written; nothing was changed. Try again.`, {
          [API_HEADERS.retryAfter]: '1',
        });
      }
      waiting += count;
      try {
        return await storage.write(work);
      } finally {
        waiting -= count;
      }
    },
  };
}
