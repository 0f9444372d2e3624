import { z } from 'zod';
import type { EventDelivery } from '../../control/index.ts';
import type { DeliveryTable } from '../../storage/schema/webhooks.ts';
import { findDeliveriesOfEvent } from '../../storage/statements/find-deliveries-of-event.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';

/** A delivery in short, with its endpoint. */
export const eventDelivery = z.object({
  id: z.string(),
  endpointId: z.string(),
  status: z.string(),
  attempt: z.int(),
  createdAt: z.string(),
}) satisfies z.ZodType<EventDelivery>;

/** A row of a delivery, in short. */
export const presentEventDelivery = (
  row: Pick<DeliveryTable, 'id' | 'endpoint_id' | 'status' | 'attempt' | 'created_at'>,
): EventDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
  createdAt: toTimestamp(row.created_at),
});

const readDeliveries = controlOperation({
  method: 'GET',
  path: '/_control/events/{id}/deliveries',
  summary: 'List the deliveries of an event',
  description: 'There is one for each endpoint that subscribed to it. A replay has its own event.',
  status: 200,
  answer: z.object({ deliveries: z.array(eventDelivery) }),
  refusals: { 404: 'No such event.' },
  async handle({ services: { storage }, params: { id = '' } }) {
    const rows = await storage.read((queries) => findDeliveriesOfEvent(queries, id));
    if (!rows) throw notFound('event', id);
    return { deliveries: rows.map(presentEventDelivery) };
  },
});

/** The call that lists an event's deliveries. */
export const eventDeliveryOperations = [readDeliveries];
