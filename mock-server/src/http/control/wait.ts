import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenDelivery } from '@svc/contract/control/resources';
import type { Queries } from '../../storage/port.ts';
import { findDeliveriesOfEndpoint } from '../../storage/statements/deliveries/list.ts';
import {
  findDeliveriesOfEvent,
  findDeliveryAnywhere,
  type StoredDelivery,
} from '../../storage/statements/deliveries/read.ts';
import { notFound, shuttingDown, validation } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

/** The first and the longest pause between two checks, in milliseconds. */
const LOOK_MS = { first: 10, longest: 200 };

/** A wait for an endpoint's deliveries checks at most this many of the endpoint's newest deliveries. */
const OF_ENDPOINT_MAX = 100;

/** The call that waits for deliveries. */
export const waitHandlers = {
  async wait({ services: { storage, draining }, query, signal }) {
    const { status, timeoutMs } = query;
    const isMet = (row: StoredDelivery) => (status === undefined ? row.status !== 'pending' : row.status === status);
    const look = () => storage.read((queries) => findNamed(queries, query));
    const deadline = performance.now() + timeoutMs;
    for (let waitMs = LOOK_MS.first; ; waitMs = Math.min(waitMs * 2, LOOK_MS.longest)) {
      const rows = await look();
      const response = { deliveries: rows.map(presentSeen) };
      if (rows.length > 0 && rows.every(isMet)) return response;
      // An event is stored together with its deliveries, so an event that has no deliveries now will never have any.
      const isHopeless = rows.length === 0 && query.eventId !== undefined;
      const leftMs = isHopeless ? 0 : deadline - performance.now();
      if (draining()) throw shuttingDown();
      if (leftMs <= 0 || signal.aborted) return Response.json(response, { status: 408 });
      await sleep(Math.min(waitMs, leftMs), undefined, { signal }).catch(() => {});
    }
  },
} satisfies Partial<ControlHandlers>;

/**
 * Finds the deliveries that the query selects. @throws 400 if the ids in the query cannot be combined, or there are no
 * ids; 404 if the delivery, event or endpoint does not exist.
 */
async function findNamed(
  queries: Queries,
  { deliveryId, eventId, endpointId }: Partial<Record<'deliveryId' | 'eventId' | 'endpointId', string | undefined>>,
): Promise<readonly StoredDelivery[]> {
  if (deliveryId !== undefined) {
    if (eventId !== undefined || endpointId !== undefined) throw validation(NAME_ONE);
    const row = await findDeliveryAnywhere(queries, deliveryId);
    if (!row) throw notFound('webhook delivery', deliveryId);
    return [row];
  }
  if (eventId !== undefined) {
    const rows = await findDeliveriesOfEvent(queries, eventId);
    if (!rows) throw notFound('event', eventId);
    return rows.filter((row) => endpointId === undefined || row.endpoint_id === endpointId);
  }
  if (endpointId === undefined) throw validation(NAME_ONE);
  const rows = await findDeliveriesOfEndpoint(queries, endpointId, OF_ENDPOINT_MAX);
  if (!rows) throw notFound('webhook endpoint', endpointId);
  return rows;
}

const NAME_ONE = 'Pass one of "deliveryId", "eventId" and "endpointId", or "eventId" and "endpointId" together.';

const presentSeen = (row: StoredDelivery): SeenDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
});
