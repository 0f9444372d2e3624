import type { FinishedAttempt } from '../../../src/delivery/sending/attempt.ts';
import type { World } from './world.ts';

export const SUCCESS = { status: 'success' } as const;
export const FAILED = { status: 'failed' } as const;
export const retryAt = (nextAttemptAt: number) => ({ status: 'pending', nextAttemptAt }) as const;

/** The result of an attempt that a delivery has just had. The delivery is in the queue. */
export async function resultOf(
  { storage, ids, clock }: World,
  id: string,
  transition: FinishedAttempt['transition'],
): Promise<FinishedAttempt> {
  const [place, delivery] = await storage.read(async (queries) => [
    await queries.selectFrom('delivery_queue').selectAll().where('delivery_id', '=', id).executeTakeFirstOrThrow(),
    await queries.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  ]);
  const succeeded = transition.status === 'success';
  return {
    id: ids.nextBare(),
    delivery: {
      id,
      endpointId: place.endpoint_id,
      workspaceId: place.workspace_id,
      eventId: place.payload_event_id,
      eventType: delivery.event_type,
      attemptsMade: place.attempt,
      body: '{}',
      traceparent: null,
      place: { endpointId: place.endpoint_id, retry: place.retry, dueAt: place.due_at, deliveryId: id },
    },
    number: place.attempt + 1,
    url: 'https://receiver.test/hook',
    startedAt: clock.now(),
    endedAt: clock.now(),
    loggedHeaders: {},
    response: { status: succeeded ? 200 : 500, headers: {}, body: '' },
    hasResponse: true,
    responseTimeMs: 1,
    error: succeeded ? null : 'HTTP 500',
    transition,
  };
}
