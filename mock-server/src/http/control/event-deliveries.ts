import type { EventDelivery } from '@svc/contract/control/resources';
import { findDeliveriesOfEvent } from '../../storage/statements/deliveries/of-event.ts';
import type { StoredDelivery } from '../../storage/statements/deliveries/read.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

/** A row of a delivery, in short. */
export const presentEventDelivery = (
  row: Pick<StoredDelivery, 'id' | 'endpoint_id' | 'status' | 'attempt' | 'created_at'>,
): EventDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
  createdAt: toTimestamp(row.created_at),
});

/** The call that lists an event's deliveries. */
export const eventDeliveryHandlers = {
  async listDeliveriesOfEvent({ services: { storage }, params: { eventId } }) {
    const rows = await storage.read((queries) => findDeliveriesOfEvent(queries, eventId));
    if (!rows) throw notFound('event', eventId);
    return { deliveries: rows.map(presentEventDelivery) };
  },
} satisfies Partial<ControlHandlers>;
