import type { EndedStatus } from '../domain/consecutive-failures.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queries, Storage } from '../storage/port.ts';
import { acceptEvent } from '../storage/statements/accept-event.ts';
import type { ClaimedLane } from '../storage/statements/claim-lanes.ts';
import {
  type AutoDisabledEndpoint,
  countConsecutiveFailures,
} from '../storage/statements/count-consecutive-failures.ts';
import { findKnownDeliveries } from '../storage/statements/find-known-deliveries.ts';
import { findLoggedAttempts } from '../storage/statements/find-logged-attempts.ts';
import { findObstacles, type LaneOfResults } from '../storage/statements/find-obstacles.ts';
import { insertAttempts, type NewAttempt } from '../storage/statements/insert-attempts.ts';
import { listAsEnded } from '../storage/statements/list-as-ended.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { notifyDevelopers } from '../storage/statements/notify-developers.ts';
import { postponeInQueue } from '../storage/statements/postpone-in-queue.ts';
import { removeFromQueue } from '../storage/statements/remove-from-queue.ts';
import { updateAttemptedDeliveries } from '../storage/statements/update-attempted-deliveries.ts';
import { together } from '../storage/together.ts';
import type { FinishedAttempt } from './attempt.ts';

/** An attempt to be written back, and the token under which its lane was held. */
export interface HeldAttempt extends FinishedAttempt {
  leaseToken: number;
}

/** What a write-back did. */
export interface WriteBackReport {
  /** Endpoints that were disabled because their deliveries failed. */
  autoDisabled: AutoDisabledEndpoint[];
  /** Lanes that turned out to be held under another token, once for each attempt. */
  lost: ClaimedLane[];
  /** Ids of the attempts whose lane was lost before they were written back. */
  late: ReadonlySet<string>;
}

/**
 * Writes finished attempts back in one exchange, where nothing of what is stored changes what is to be written: every
 * lane is held, nothing failed for good and no failures are counted that a success would end.
 *
 * @returns false where that is not so: nothing was written, and {@link writeBack} looks more closely.
 */
export async function writeBackAtOnce(storage: Storage, finished: readonly HeldAttempt[]): Promise<boolean> {
  const lanes = new Map<string, LaneOfResults>();
  for (const { delivery, leaseToken, transition } of finished) {
    if (transition.status === 'failed') return false;
    const { endpointId } = delivery;
    const known = lanes.get(endpointId);
    // Held anew within one batch: under one of the two tokens nothing counts any more.
    if (known && known.leaseToken !== leaseToken) return false;
    const ends = transition.status === 'success' || (known?.ends ?? false);
    lanes.set(endpointId, { endpointId, leaseToken, ends });
  }
  return storage.writeIf(
    (queries) => findObstacles(queries, [...lanes.values()]),
    (queries) => together([insertAttempts(queries, finished.map(logEntry)), ...moveDeliveries(queries, finished)]),
  );
}

/**
 * Writes finished attempts back, inside the caller's transaction: the log, the deliveries, their places in the queue
 * and the counts of their endpoints.
 *
 * @param options.mayBeWritten - Whether an earlier transaction with these attempts ended without an answer, so that nobody knows
 *   whether it took place. What is in the log then was written with all that belongs to it.
 * @param options.sendsEmails - Whether notifications are also sent by email.
 */
export async function writeBack(
  queries: Queries,
  ids: Ids,
  all: readonly HeldAttempt[],
  now: Instant,
  { mayBeWritten, sendsEmails }: { mayBeWritten: boolean; sendsEmails: boolean },
): Promise<WriteBackReport> {
  // Lanes are touched before the queue in every transaction: `touchLanes` says why. Nobody can claim one until the end
  // of this.
  const [tokens, known] = await together([
    lockLanes(queries, [...new Set(all.map(({ delivery }) => delivery.endpointId))]),
    mayBeWritten ? findLoggedAttempts(queries, all) : new Map<string, boolean>(),
  ]);
  const finished = known.size === 0 ? all : all.filter(({ id }) => !known.has(id));
  // A result may come back after its lease was lost: another node may then have made the attempt again. It goes to the
  // log, where people look for it, and moves no state and no counter.
  const isLate = (attempt: HeldAttempt) => tokens.get(attempt.delivery.endpointId) !== attempt.leaseToken;
  const counted = finished.filter((attempt) => !isLate(attempt));
  const [autoDisabled] = await together([
    autoDisable(queries, ids, counted.filter(hasEnded), { now, sendsEmails }),
    log(queries, finished, isLate),
    ...moveDeliveries(queries, counted),
  ]);
  const lost = all.filter(isLate).map(({ delivery: { endpointId }, leaseToken }) => ({ endpointId, leaseToken }));
  return {
    autoDisabled,
    lost,
    // What an earlier transaction wrote counted then, or did not, whoever holds the lane now.
    late: new Set(all.filter((attempt) => known.get(attempt.id) ?? isLate(attempt)).map(({ id }) => id)),
  };
}

const hasEnded = ({ transition }: HeldAttempt) => transition.status !== 'pending';

/** Moves deliveries, and their places in the queue, to where their attempts leave them. */
function moveDeliveries(queries: Queries, counted: readonly HeldAttempt[]): Promise<void>[] {
  const ended = counted.filter(hasEnded);
  const retries = counted.flatMap(({ delivery: { place }, transition }) =>
    transition.status === 'pending' ? [{ place, nextAttemptAt: transition.nextAttemptAt }] : [],
  );
  return [
    updateAttemptedDeliveries(
      queries,
      counted.map((attempt) => ({
        id: attempt.delivery.id,
        attempt: attempt.number,
        transition: attempt.transition,
        error: attempt.error,
        responseStatus: attempt.answer?.status ?? null,
        responseTimeMs: attempt.responseTimeMs,
      })),
    ),
    listAsEnded(
      queries,
      ended.map(({ delivery: { id, workspaceId, endpointId }, transition: { status } }) => ({
        id,
        workspaceId,
        endpointId,
        status,
      })),
    ),
    postponeInQueue(queries, retries),
    removeFromQueue(
      queries,
      ended.map(({ delivery }) => delivery.place),
    ),
  ];
}

async function log(queries: Queries, finished: readonly HeldAttempt[], isLate: (attempt: HeldAttempt) => boolean) {
  // A late result may come from before a reset, or before its delivery was removed: there is no log for it any more.
  const late = finished.filter(isLate);
  const known = await findKnownDeliveries(
    queries,
    late.map(({ delivery }) => delivery.id),
  );
  const logged = finished.filter((attempt) => !isLate(attempt) || known.has(attempt.delivery.id));
  await insertAttempts(
    queries,
    logged.map((attempt) => ({ ...logEntry(attempt), late: isLate(attempt) })),
  );
}

const logEntry = (attempt: HeldAttempt): NewAttempt => ({
  id: attempt.id,
  deliveryId: attempt.delivery.id,
  number: attempt.number,
  url: attempt.url,
  startedAt: attempt.startedAt,
  endedAt: attempt.endedAt,
  requestHeaders: attempt.requestHeaders,
  answer: attempt.answer,
  responseTimeMs: attempt.responseTimeMs,
  error: attempt.error,
  late: false,
});

/** Counts the deliveries that ended; an endpoint that this disables causes its event and its notifications. */
async function autoDisable(
  queries: Queries,
  ids: Ids,
  ended: readonly FinishedAttempt[],
  { now, sendsEmails }: { now: Instant; sendsEmails: boolean },
) {
  const endedByEndpoint = new Map<string, EndedStatus[]>();
  for (const { delivery, transition } of ended) {
    const statuses = endedByEndpoint.get(delivery.endpointId);
    if (statuses) statuses.push(transition.status as EndedStatus);
    else endedByEndpoint.set(delivery.endpointId, [transition.status as EndedStatus]);
  }
  const disabled = await countConsecutiveFailures(queries, endedByEndpoint, now);
  for (const { id, workspaceId } of disabled) {
    const type = 'webhook.endpoint.auto_disabled';
    const subject = {
      id: id as `whe_${string}`,
      type: 'webhook_endpoint' as const,
      url: `/v1/webhooks/endpoints/${id}`,
    };
    await acceptEvent(queries, ids, { id: ids.next('event'), workspaceId, type, createdAt: now, subject });
    await notifyDevelopers(queries, ids, { workspaceId, endpointId: id, type, createdAt: now, sendsEmails });
  }
  return disabled;
}
