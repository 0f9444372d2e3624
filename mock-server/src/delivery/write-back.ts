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

/** An attempt to write back, with the token under which its lane was held. */
export interface HeldAttempt extends FinishedAttempt {
  leaseToken: number;
}

/** The result of a write-back. */
export interface WriteBackReport {
  /** Endpoints that were disabled because their deliveries kept failing. */
  autoDisabled: AutoDisabledEndpoint[];
  /** Lanes that another token now holds, once for each attempt. */
  lost: ClaimedLane[];
  /** Ids of the attempts whose lane was lost before the write-back. */
  late: ReadonlySet<string>;
}

/**
 * Writes finished attempts back in one round trip, if no stored data affects the result: every lane is still held, no
 * delivery has failed for good, and no success would reset a count of failures.
 *
 * @returns false if that is not so. Then nothing was written, and {@link writeBack} takes a closer look.
 */
export async function writeBackAtOnce(storage: Storage, finished: readonly HeldAttempt[]): Promise<boolean> {
  const lanes = new Map<string, LaneOfResults>();
  for (const { delivery, leaseToken, transition } of finished) {
    if (transition.status === 'failed') return false;
    const { endpointId } = delivery;
    const known = lanes.get(endpointId);
    // The lane was lost and claimed again within this batch, so attempts under one of the two tokens no longer count.
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
 * Writes finished attempts back, in the caller's transaction: the log, the deliveries, their places in the queue and
 * the failure counts of their endpoints.
 *
 * @param options.mayBeWritten - Whether an earlier transaction with these attempts got no reply, so that it may or may
 *   not have been committed. If an attempt is in the log, all of its changes are stored.
 * @param options.sendsEmails - Whether notifications also go out by email.
 */
export async function writeBack(
  queries: Queries,
  ids: Ids,
  all: readonly HeldAttempt[],
  now: Instant,
  { mayBeWritten, sendsEmails }: { mayBeWritten: boolean; sendsEmails: boolean },
): Promise<WriteBackReport> {
  // Every transaction touches lanes before the queue. `touchLanes` explains why. Nobody can claim these lanes until
  // this transaction ends.
  const [tokens, known] = await together([
    lockLanes(queries, [...new Set(all.map(({ delivery }) => delivery.endpointId))]),
    mayBeWritten ? findLoggedAttempts(queries, all) : new Map<string, boolean>(),
  ]);
  const finished = known.size === 0 ? all : all.filter(({ id }) => !known.has(id));
  // A result may arrive after its lease was lost, and another node may have made the attempt again. Log the result for
  // support, but change no state and no counter.
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
    // For an attempt that an earlier transaction stored, the log says whether it was late. The current holder does not
    // matter.
    late: new Set(all.filter((attempt) => known.get(attempt.id) ?? isLate(attempt)).map(({ id }) => id)),
  };
}

const hasEnded = ({ transition }: HeldAttempt) => transition.status !== 'pending';

/** Updates deliveries and their places in the queue after their attempts. */
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
  // A late result may come from before a reset, or its delivery may be deleted. Then there is no log to write to.
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

/** Counts the deliveries that ended. If that disables an endpoint, this stores its event and its notifications. */
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
