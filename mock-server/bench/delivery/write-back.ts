import { STORE_AT_COUNT, STORE_DELAY_MS } from '../../src/delivery/tuning.ts';
import type { EndedStatus } from '../../src/domain/consecutive-failures.ts';
import { transitionAfter } from '../../src/domain/retry-schedule.ts';
import { countConsecutiveFailures } from '../../src/storage/changes/endpoints.ts';
import { insertRows } from '../../src/storage/many-rows.ts';
import type { Storage } from '../../src/storage/port.ts';
import { insertAttempts } from './insert-attempts.ts';
import type { Sent } from './job.ts';

/** A first attempt that has ended. */
export interface FinishedJob {
  /** The id of the attempt in the log. */
  attemptId: string;
  delivery: { id: string; endpointId: string; workspaceId: string; url: string };
  startedAt: number;
  endedAt: number;
  sent: Sent;
}

/**
 * Writes the finished attempts of a job queue into the service's tables, many attempts in one transaction. The batches
 * have the same maximum size and the same delay as the engine's batches. The transaction writes the log and the ends of
 * deliveries, and runs the query for the failure counts of endpoints. The transaction cannot use the engine's own
 * statement: that statement moves deliveries in the engine's queue, and a job queue does not fill the engine's queue.
 * This code uses as many connections as the engine, but may write more batches at the same time.
 */
export function createWriteBack(storage: Storage): (finished: FinishedJob) => Promise<void> {
  let waiting: { finished: FinishedJob; done(): void; failed(error: unknown): void }[] = [];
  let soon: NodeJS.Timeout | undefined;

  async function writeNow(): Promise<void> {
    clearTimeout(soon);
    soon = undefined;
    const batch = waiting;
    waiting = [];
    try {
      await write(
        storage,
        batch.map(({ finished }) => finished),
      );
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }

  return (finished) =>
    new Promise((done, failed) => {
      waiting.push({ finished, done, failed });
      if (waiting.length >= STORE_AT_COUNT) void writeNow();
      else soon ??= setTimeout(writeNow, STORE_DELAY_MS);
    });
}

async function write(storage: Storage, batch: readonly FinishedJob[]): Promise<void> {
  const attempts = batch.map(({ attemptId, delivery, startedAt, endedAt, sent: { loggedHeaders, response } }) => {
    const succeeded = response.status >= 200 && response.status < 300;
    return {
      id: attemptId,
      delivery,
      number: 1,
      startedAt,
      endedAt,
      loggedHeaders,
      response,
      responseTimeMs: endedAt - startedAt,
      error: succeeded ? null : `HTTP ${response.status}`,
      transition: transitionAfter({ succeeded, number: 1, endedAt }),
    };
  });
  const ended = attempts.filter(({ transition }) => transition.status !== 'pending');
  const endedByEndpoint = Map.groupBy(ended, ({ delivery }) => delivery.endpointId);
  const statuses = new Map(
    [...endedByEndpoint].map(([id, of]) => [id, of.map(({ transition }) => transition.status as EndedStatus)]),
  );
  await storage.write((queries) =>
    Promise.all([
      countConsecutiveFailures(queries, statuses, Date.now()),
      insertAttempts(
        queries,
        attempts.map(({ delivery, transition, ...attempt }) => ({
          ...attempt,
          deliveryId: delivery.id,
          url: delivery.url,
          late: false,
        })),
      ),
      insertRows(queries, 'delivery_ends', ended, {
        workspace_id: ['text', ({ delivery }) => delivery.workspaceId],
        status: ['text', ({ transition }) => transition.status],
        delivery_id: ['text', ({ delivery }) => delivery.id],
        endpoint_id: ['text', ({ delivery }) => delivery.endpointId],
        attempt: ['integer', ({ number }) => number],
        ended_at: ['bigint', ({ endedAt }) => endedAt],
        response_status: ['integer', ({ response }) => response.status],
        response_time_ms: ['integer', ({ responseTimeMs }) => responseTimeMs],
        error: ['text', ({ error }) => error],
      }),
    ]),
  );
}
