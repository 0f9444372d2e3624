import { findReplays } from '../../storage/statements/deliveries/of-event.ts';
import { findDeliveryAnywhere } from '../../storage/statements/deliveries/read.ts';
import { notFound } from '../errors.ts';
import { presentEventDelivery } from './event-deliveries.ts';
import type { ControlHandlers } from './operation.ts';

const REPLAYS_MAX = 20;

/** The call that lists a delivery's replays. */
export const replayHandlers = {
  async listReplays({ services: { storage }, params: { deliveryId } }) {
    return await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, deliveryId);
      if (!delivery) throw notFound('webhook delivery', deliveryId);
      const rows = await findReplays(queries, delivery, REPLAYS_MAX);
      const isOriginal = (row: (typeof rows)[number]) => row.event_id === delivery.payload_event_id;
      const original = rows.find(isOriginal);
      return {
        original: original ? presentEventDelivery(original) : null,
        replays: rows.filter((row) => !isOriginal(row)).map(presentEventDelivery),
      };
    });
  },
} satisfies Partial<ControlHandlers>;
