import { z } from 'zod';
import type { DeliveryReplays } from '../../control/index.ts';
import { findDeliveryAnywhere } from '../../storage/statements/find-delivery-anywhere.ts';
import { findReplays } from '../../storage/statements/find-replays.ts';
import { notFound } from '../errors.ts';
import { eventDelivery, presentEventDelivery } from './event-deliveries.ts';
import { controlOperation } from './operation.ts';

const REPLAYS_MAX = 20;

const readReplays = controlOperation({
  method: 'GET',
  path: '/_control/deliveries/{id}/replays',
  summary: 'List the replays of a delivery',
  description: `Returns the other deliveries of the same event to the same endpoint: the first one, and those among the newest ${REPLAYS_MAX} replays of the event.`,
  status: 200,
  answer: z.object({
    original: eventDelivery.nullable(),
    replays: z.array(eventDelivery),
  }) satisfies z.ZodType<DeliveryReplays>,
  refusals: { 404: 'No such delivery.' },
  async handle({ services: { storage }, params: { id = '' } }): Promise<DeliveryReplays> {
    return await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, id);
      if (!delivery) throw notFound('webhook delivery', id);
      const rows = await findReplays(queries, delivery, REPLAYS_MAX);
      const isOriginal = (row: (typeof rows)[number]) => row.event_id === delivery.payload_event_id;
      const original = rows.find(isOriginal);
      return {
        original: original ? presentEventDelivery(original) : null,
        replays: rows.filter((row) => !isOriginal(row)).map(presentEventDelivery),
      };
    });
  },
});

/** The call that lists a delivery's replays. */
export const replayOperations = [readReplays];
