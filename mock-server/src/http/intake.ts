import { API_HEADERS, ENDPOINTS_PER_WORKSPACE_MAX } from '@svc/contract';
import type { Metrics } from '../runtime/metrics.ts';
import { type Queries, type Storage, StorageUnavailableError } from '../storage/port.ts';
import { ApiError } from './errors.ts';

/** What makes deliveries: events, test events and replays. */
export interface Intake {
  /**
   * Writes what makes one delivery, as one transaction.
   *
   * @throws 503 `UNAVAILABLE` with `Retry-After` where too much waits to be written; nothing is changed then.
   */
  accept<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Writes many events slice by slice; in between others have their turn at the database.
   *
   * @param acceptSlice - Writes a slice as one transaction, by the function that it is given.
   * @throws 503 as above. Where the database goes away in the midst, the message says how many are stored.
   */
  acceptEach<Wanted extends { workspaceId: string }, Result extends { deliveries: readonly unknown[] }>(
    wanted: readonly Wanted[],
    acceptSlice: (slice: readonly Wanted[], write: Storage['write']) => Promise<Result[]>,
  ): Promise<Result[]>;
}

/** Deliveries that may wait to be written at a time, on one node; an event without one counts as one. */
export const INTAKE_MAX = 10_000;

/** What one transaction writes at most, so that nobody waits long behind it: an embedded database stops the whole process meanwhile. */
const SLICE_DELIVERIES_MAX = 1_000;
const SLICE_EVENTS_MAX = 100;
/** Workspaces of which it is known how many deliveries their events make. */
const KNOWN_MAX = 10_000;

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
  /** How many deliveries the latest event of a workspace made: an event is counted before the database is asked. */
  const fanOut = new Map<string, number>();

  function enter(count: number): void {
    if (waiting > 0 && waiting + count > max) {
      metrics.intakeRefused();
      throw new ApiError(
        'UNAVAILABLE',
        `${waiting} deliveries are waiting to be stored. Nothing was changed; try again.`,
        {
          [API_HEADERS.retryAfter]: '1',
        },
      );
    }
    waiting += count;
  }

  function learn(workspaceId: string, deliveries: number): void {
    if (fanOut.size >= KNOWN_MAX) fanOut.clear();
    fanOut.set(workspaceId, deliveries);
  }

  const countOf = ({ workspaceId }: { workspaceId: string }) => Math.max(1, fanOut.get(workspaceId) ?? 1);

  /** How many of those that are left go into the next transaction. */
  function sliceOf(left: readonly { workspaceId: string }[]): number {
    let deliveries = 0;
    const tooMany = left.slice(0, SLICE_EVENTS_MAX).findIndex(({ workspaceId }, index) => {
      deliveries += fanOut.get(workspaceId) ?? ENDPOINTS_PER_WORKSPACE_MAX;
      return index > 0 && deliveries > SLICE_DELIVERIES_MAX;
    });
    return tooMany === -1 ? SLICE_EVENTS_MAX : tooMany;
  }

  return {
    async accept(work) {
      enter(1);
      try {
        return await storage.write(work);
      } finally {
        waiting--;
      }
    },

    async acceptEach(wanted, acceptSlice) {
      const count = wanted.reduce((sum, each) => sum + countOf(each), 0);
      enter(count);
      const write: Storage['write'] = (work) => storage.write(work);
      const results: Awaited<ReturnType<typeof acceptSlice>> = [];
      try {
        while (results.length < wanted.length) {
          const left = wanted.slice(results.length, results.length + SLICE_EVENTS_MAX);
          const slice = left.slice(0, sliceOf(left));
          const accepted = await acceptSlice(slice, write);
          slice.forEach(({ workspaceId }, index) => void learn(workspaceId, accepted[index]?.deliveries.length ?? 0));
          results.push(...accepted);
        }
        return results;
      } catch (error) {
        if (results.length === 0 || !(error instanceof StorageUnavailableError)) throw error;
        const stored = `The first ${results.length} of ${wanted.length} events are stored`;
        throw new ApiError('UNAVAILABLE', `The database is unavailable. ${stored}; send the others again.`, {
          [API_HEADERS.retryAfter]: '1',
        });
      } finally {
        waiting -= count;
      }
    },
  };
}
