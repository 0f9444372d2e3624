import { ENDPOINTS_PER_WORKSPACE_MAX } from '@svc/contract';
import type { TriggeredEvent } from '@svc/contract/control/resources';
import type { NewEvent } from '../domain/event-envelope.ts';
import { type GroupWork, groupWork } from '../runtime/group-work.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { DataReplacedError, type Queries, type Storage, StorageUnavailableError } from '../storage/port.ts';
import { unavailable } from './errors.ts';

export type Intake = ReturnType<typeof createIntake>;

/** How many deliveries may wait on one node. An event counts as at least one delivery. */
const INTAKE_MAX = 10_000;

/** The limits for a transaction. While a transaction runs, other requests wait. On SQLite, it can block the process. */
const SLICE_DELIVERIES_MAX = 1_000;
export const SLICE_EVENTS_MAX = 100;
const FAN_OUT_WORKSPACES_MAX = 10_000;

/** Accepts work that creates deliveries, and limits how much of this work waits in memory. */
export function createIntake(metrics: Pick<Metrics, 'intakeRefused'>, max = INTAKE_MAX) {
  let waiting = 0;
  const { learn, countOf, sliceOf } = createFanOut();

  async function counted<Result>(deliveries: number, work: () => Promise<Result>): Promise<Result> {
    // If nothing waits, accept even a call that alone exceeds `max`. Otherwise, such a call could never be accepted.
    if (waiting > 0 && waiting + deliveries > max) {
      metrics.intakeRefused();
      throw unavailable(`${waiting} deliveries are waiting to be stored. Nothing was changed; try again.`);
    }
    waiting += deliveries;
    try {
      return await work();
    } finally {
      waiting -= deliveries;
    }
  }

  const grouped = groupWork<NewEvent, TriggeredEvent>(sliceOf, (error) => error instanceof StorageUnavailableError);

  return {
    /**
     * Runs a write that creates few deliveries.
     *
     * @throws 503 if too many deliveries are waiting. Nothing is changed.
     */
    accept: <Result>(to: Pick<Storage, 'write'>, work: (queries: Queries) => Promise<Result>): Promise<Result> =>
      counted(1, () => to.write(work)),

    /**
     * Writes an event. Events of one workspace that arrive during a transaction share the next transaction. A
     * transaction contains events of only one workspace, so no event waits because of another workspace's endpoints.
     *
     * @param acceptGroup - Writes a group of events in one transaction. The `acceptGroup` of the call with a group's
     *   first event writes the whole group. The write must fail if a reset or a restore replaces the data while the
     *   first event waits. The other events of the group arrived later, so this rule covers their times and ids, too.
     * @throws the same 503 as `accept`.
     */
    acceptGrouped: (event: NewEvent, acceptGroup: GroupWork<NewEvent, TriggeredEvent>): Promise<TriggeredEvent> =>
      counted(countOf(event), async () => {
        const accepted = await grouped(event.workspaceId, event, acceptGroup);
        learn(event.workspaceId, accepted.deliveries.length);
        return accepted;
      }),

    /**
     * Writes many events, in slices. Other work can use the database between two slices.
     *
     * @param acceptSlice - Writes one slice in one transaction.
     * @throws the same 503 as `accept`. If the database fails after some slices, the message says how many events are
     *   stored.
     */
    async acceptEach<Wanted extends { workspaceId: string }, Result extends { deliveries: readonly unknown[] }>(
      wanted: readonly Wanted[],
      acceptSlice: (slice: readonly Wanted[]) => Promise<Result[]>,
    ): Promise<Result[]> {
      const results: Result[] = [];
      const acceptSlices = async () => {
        while (results.length < wanted.length) {
          const left = wanted.slice(results.length, results.length + SLICE_EVENTS_MAX);
          const slice = left.slice(0, sliceOf(left));
          const accepted = await acceptSlice(slice);
          slice.forEach(({ workspaceId }, index) => void learn(workspaceId, accepted[index]?.deliveries.length ?? 0));
          results.push(...accepted);
        }
        return results;
      };
      try {
        const deliveries = wanted.reduce((sum, each) => sum + countOf(each), 0);
        return await counted(deliveries, acceptSlices);
      } catch (error) {
        // If the data was replaced, the events of the earlier slices are gone, so do not report these events as stored.
        if (error instanceof DataReplacedError || results.length === 0) throw error;
        if (!(error instanceof StorageUnavailableError)) throw error;
        const stored = `The first ${results.length} of ${wanted.length} events are stored`;
        throw unavailable(`The database is unavailable. ${stored}; send the other events again.`);
      }
    },
  };
}

/**
 * Estimates how many deliveries a workspace's next event creates: as many as the latest event created, but at least
 * half of the previous estimate, because event types with many and with few deliveries may alternate.
 */
function createFanOut() {
  const estimates = new Map<string, number>();
  return {
    learn(workspaceId: string, deliveries: number): void {
      if (estimates.size >= FAN_OUT_WORKSPACES_MAX) estimates.clear();
      estimates.set(workspaceId, Math.max(deliveries, (estimates.get(workspaceId) ?? 0) / 2));
    },

    countOf: ({ workspaceId }: { workspaceId: string }) => Math.max(1, Math.ceil(estimates.get(workspaceId) ?? 1)),

    /** Returns how many of the events in `left` to write in the next transaction. */
    sliceOf(left: readonly { workspaceId: string }[]): number {
      let deliveries = 0;
      const tooMany = left.slice(0, SLICE_EVENTS_MAX).findIndex(({ workspaceId }, index) => {
        // For a workspace without an estimate, assume the maximum here. `countOf` assumes only one delivery, because
        // otherwise a server that has just started would soon reach `max` and reject events.
        deliveries += estimates.get(workspaceId) ?? ENDPOINTS_PER_WORKSPACE_MAX;
        return index > 0 && deliveries > SLICE_DELIVERIES_MAX;
      });
      return tooMany === -1 ? SLICE_EVENTS_MAX : tooMany;
    },
  };
}
