import { z } from 'zod';
import type { EventDelivery } from '../../control/index.ts';
import { findDeliveriesOfEvent } from '../../storage/statements/find-deliveries-of-event.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';

const delivery = z.object({
  id: z.string(),
  endpointId: z.string(),
  status: z.string(),
  attempt: z.int(),
  createdAt: z.string(),
}) satisfies z.ZodType<EventDelivery>;

const readDeliveries = controlOperation({
  method: 'GET',
  path: '/_control/events/{id}/deliveries',
  summary: "An event's deliveries, one for each endpoint that subscribed to it; a replay belongs to a separate event",
  status: 200,
  answer: z.object({ deliveries: z.array(delivery) }),
  refusals: { 404: 'No such event.' },
  async handle({ services: { storage }, params: { id = '' } }) {
    const rows = await storage.read((queries) => findDeliveriesOfEvent(queries, id));
    if (!rows) throw notFound('event', id);
    return {
      deliveries: rows.map(
        (row): EventDelivery => ({
          id: row.id,
          endpointId: row.endpoint_id,
          status: row.status,
          attempt: row.attempt,
          createdAt: toTimestamp(row.created_at),
        }),
      ),
    };
  },
});

/** The call that lists an event's deliveries. */
export const eventDeliveryOperations = [readDeliveries];
