import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { DeliveryTable } from '../../storage/schema/webhooks.ts';
import { findDeliveriesOfEvent } from '../../storage/statements/find-deliveries-of-event.ts';
import { findDeliveryAnywhere } from '../../storage/statements/find-delivery-anywhere.ts';
import { notFound, shuttingDown, validation } from '../errors.ts';
import { controlOperation } from './operation.ts';

/** How often it is looked, at first and at the longest. */
const LOOK_MS = { first: 10, longest: 200 };

const seen = z.object({ id: z.string(), endpointId: z.string(), status: z.string(), attempt: z.int() });

const waitForStatus = controlOperation({
  method: 'GET',
  path: '/_control/wait',
  summary:
    'Wait until a delivery, or every delivery of an event, has a status; without one, until it is pending no more',
  query: z.object({
    deliveryId: z.string().optional(),
    eventId: z.string().optional(),
    status: z.enum(['pending', 'success', 'failed', 'disabled']).optional(),
    timeoutMs: z
      .string()
      .regex(/^\d{1,6}$/, 'must be milliseconds, at most 600000')
      .transform(Number)
      .pipe(z.int().max(600_000))
      .default(30_000),
  }),
  status: 200,
  answer: z.object({ deliveries: z.array(seen) }),
  refusals: { 404: 'No such delivery or event.', 408: 'It did not come so; the answer is what was seen instead.' },
  async handle({ services: { storage, draining }, query: { deliveryId, eventId, status, timeoutMs }, signal }) {
    if ((deliveryId === undefined) === (eventId === undefined)) {
      throw validation('Name either "deliveryId" or "eventId".');
    }
    const isMet = (row: DeliveryTable) => (status === undefined ? row.status !== 'pending' : row.status === status);
    const look = () =>
      storage.read(async (queries) => {
        if (eventId !== undefined) return (await findDeliveriesOfEvent(queries, eventId)) ?? nothing('event', eventId);
        const row = await findDeliveryAnywhere(queries, String(deliveryId));
        return row ? [row] : nothing('webhook delivery', String(deliveryId));
      });
    const deadline = performance.now() + timeoutMs;
    for (let waitMs = LOOK_MS.first; ; waitMs = Math.min(waitMs * 2, LOOK_MS.longest)) {
      const rows = await look();
      const answer = { deliveries: rows.map(presentSeen) };
      if (rows.length > 0 && rows.every(isMet)) return answer;
      const leftMs = deadline - performance.now();
      if (draining()) throw shuttingDown();
      if (leftMs <= 0 || signal.aborted) return Response.json(answer, { status: 408 });
      await sleep(Math.min(waitMs, leftMs), undefined, { signal }).catch(() => {});
    }
  },
});

function nothing(what: string, id: string): never {
  throw notFound(what, id);
}

const presentSeen = (row: DeliveryTable): z.output<typeof seen> => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
});

/** The call that waits for deliveries. */
export const waitOperations = [waitForStatus];
