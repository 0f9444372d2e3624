import type { EndedStatus } from '../../domain/consecutive-failures.ts';
import { ENDPOINT, subjectOf } from '../../domain/event-subject.ts';
import { type AutoDisabledEndpoint, countConsecutiveFailures } from '../../storage/changes/endpoints.ts';
import { notifyDevelopers } from '../../storage/changes/notifications.ts';
import { acceptEvents } from '../../storage/delivery/accept.ts';
import type { Queries } from '../../storage/port.ts';
import type { FinishedAttempt } from '../sending/attempt.ts';
import type { DispatcherTools } from '../tools.ts';

export interface Counting extends Pick<DispatcherTools, 'ids' | 'clock'> {
  sendsEmails: boolean;
}

/**
 * Counts consecutive failures, and disables endpoints that fail too often. Each disabled endpoint causes an event and
 * notifications. `domain/consecutive-failures.ts` contains the rule.
 */
export async function autoDisable(
  queries: Queries,
  ended: readonly FinishedAttempt[],
  { ids, clock, sendsEmails }: Counting,
): Promise<AutoDisabledEndpoint[]> {
  const byEndpoint = Map.groupBy(ended, ({ delivery }) => delivery.endpointId);
  const statuses = [...byEndpoint].map(
    ([id, attempts]) => [id, attempts.map(({ transition }) => transition.status as EndedStatus)] as const,
  );
  const disabled = await countConsecutiveFailures(queries, new Map(statuses), clock.now());
  for (const { id, workspaceId } of disabled) {
    const type = 'webhook.endpoint.auto_disabled';
    const subject = subjectOf(ENDPOINT, id);
    const createdAt = clock.now();
    await acceptEvents(queries, { ids, clock }, [{ id: ids.next('event'), workspaceId, type, createdAt, subject }]);
    await notifyDevelopers(queries, ids, { workspaceId, endpointId: id, type, createdAt, sendsEmails });
  }
  return disabled;
}
