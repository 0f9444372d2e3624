import type { EndedStatus } from '../../domain/consecutive-failures.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Ids } from '../../runtime/ids.ts';
import { storeResults } from '../../storage/delivery/store-results.ts';
import type { Queries } from '../../storage/port.ts';
import { acceptEvent } from '../../storage/statements/deliveries/accept.ts';
import { type AutoDisabledEndpoint, countConsecutiveFailures } from '../../storage/statements/endpoints.ts';
import { notifyDevelopers } from '../../storage/statements/notifications.ts';
import type { FinishedAttempt } from '../sending/attempt.ts';

/** The options for counting the failures of endpoints. */
export interface CountOptions {
  ids: Ids;
  now: Instant;
  /** Whether notifications are also sent by email. */
  sendsEmails: boolean;
}

/**
 * Stores results, in the caller's transaction, and counts the failures of their endpoints. If an endpoint gets
 * disabled, also stores an event and notifications about the endpoint.
 *
 * @returns the ids of the deliveries that were moved, and the endpoints that were disabled.
 */
export async function storeAndCount(
  queries: Queries,
  session: string,
  finished: readonly FinishedAttempt[],
  options: CountOptions,
): Promise<{ moved: string[]; autoDisabled: AutoDisabledEndpoint[] }> {
  const moved = await storeResults(queries, session, finished);
  const isMoved = new Set(moved);
  // Count only the results that this transaction has stored. Other transactions count the results that they store.
  const ended = finished.filter(
    ({ delivery, transition }) => transition.status !== 'pending' && isMoved.has(delivery.id),
  );
  return { moved, autoDisabled: await autoDisable(queries, ended, options) };
}

async function autoDisable(
  queries: Queries,
  ended: readonly FinishedAttempt[],
  { ids, now, sendsEmails }: CountOptions,
): Promise<AutoDisabledEndpoint[]> {
  const byEndpoint = Map.groupBy(ended, ({ delivery }) => delivery.endpointId);
  const statuses = [...byEndpoint].map(
    ([id, attempts]) => [id, attempts.map(({ transition }) => transition.status as EndedStatus)] as const,
  );
  const disabled = await countConsecutiveFailures(queries, new Map(statuses), now);
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
