import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryExplanation, EventDelivery, LoggedAttempt, SeenDelivery } from '@svc/contract/control/resources';
import { sentHeaders } from '../../domain/attempt-headers.ts';
import { revealSecret, signingKeyOf } from '../../domain/derive-secret.ts';
import { type DeliveryFacts, explainDelivery } from '../../domain/explain-delivery.ts';
import { signatureHeaders } from '../../domain/signature.ts';
import { findLane } from '../../storage/delivery/lane-turns.ts';
import type { Queries } from '../../storage/port.ts';
import type { AttemptTable } from '../../storage/schema/webhooks.ts';
import { findDeliveriesOfEndpoint } from '../../storage/statements/deliveries/list.ts';
import { findReplays, listAttempts, type StoredDelivery } from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { findEventBody } from '../../storage/statements/events.ts';
import { findSigningSecrets } from '../../storage/statements/secrets.ts';
import { conflict, found, notFound, shuttingDown, validation } from '../errors.ts';
import { toTimestamp, toTimestampOrNull } from '../present.ts';
import { existingDeliveriesOfEvent, existingDelivery } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

const REPLAYS_MAX = 20;

const LOOK_MS = { first: 10, longest: 200 };
/** A wait for the deliveries to an endpoint checks only the endpoint's newest deliveries, up to this number. */
const OF_ENDPOINT_MAX = 100;

export const deliveryHandlers = {
  async listAttempts({ services: { storage }, params: { deliveryId } }) {
    const log = found(
      await storage.read((queries) => listAttempts(queries, deliveryId)),
      'webhook delivery',
      deliveryId,
    );
    const body = log.body === null ? null : (JSON.parse(log.body) as unknown);
    return { attempts: log.attempts.map((row) => presentAttempt(row, body, log.body)) };
  },

  async explainDelivery({ services, params: { deliveryId } }) {
    const { storage, clock, timeline, retryDelaysMs } = services;
    await timeline.refresh();
    const { delivery, endpoint, lane } = await storage.read(async (queries) => {
      const delivery = await existingDelivery(queries, deliveryId);
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      return { delivery, endpoint, lane: await findLane(queries, delivery.endpoint_id) };
    });
    const here = services.findOnNode({
      id: deliveryId,
      endpointId: delivery.endpoint_id,
      workspaceId: delivery.workspace_id,
    });
    const facts: DeliveryFacts = {
      status: delivery.status as DeliveryFacts['status'],
      attempt: delivery.attempt,
      retryDelaysMs,
      nextAttemptAt: delivery.next_attempt_at,
      deliveredAt: delivery.delivered_at,
      error: delivery.error,
      endpoint: endpoint && { active: endpoint.active === 1, consecutiveFailures: endpoint.consecutive_failures },
      laneIsHeld: lane?.node != null,
      here,
      clock: { now: clock.now(), frozen: clock.state.frozenAt !== null },
    };
    const { failuresUntilDisabled, ...said } = explainDelivery(facts);
    const explanation: DeliveryExplanation = {
      ...said,
      status: facts.status,
      attempt: facts.attempt,
      nextAttemptAt: toTimestampOrNull(facts.nextAttemptAt),
      endpoint: {
        id: delivery.endpoint_id,
        active: facts.endpoint?.active ?? false,
        deleted: facts.endpoint === undefined,
        consecutiveFailures: facts.endpoint?.consecutiveFailures ?? 0,
        failuresUntilDisabled,
      },
      clock: { now: toTimestamp(facts.clock.now), frozen: facts.clock.frozen },
    };
    return { explanation };
  },

  async listDeliveriesOfEvent({ services: { storage }, params: { eventId } }) {
    const rows = await storage.read((queries) => existingDeliveriesOfEvent(queries, eventId));
    return { deliveries: rows.map(presentEventDelivery) };
  },

  async listReplays({ services: { storage }, params: { deliveryId } }) {
    return await storage.read(async (queries) => {
      const delivery = await existingDelivery(queries, deliveryId);
      const rows = await findReplays(queries, delivery, REPLAYS_MAX);
      const isOriginal = (row: (typeof rows)[number]) => row.event_id === delivery.payload_event_id;
      const original = rows.find(isOriginal);
      return {
        original: original ? presentEventDelivery(original) : null,
        replays: rows.filter((row) => !isOriginal(row)).map(presentEventDelivery),
      };
    });
  },

  async signDelivery({ services: { storage, clock, masterKey }, params: { deliveryId } }) {
    return await storage.read(async (queries) => {
      const delivery = await existingDelivery(queries, deliveryId);
      const body = await findEventBody(queries, delivery.workspace_id, delivery.payload_event_id);
      if (body === undefined) throw notFound('webhook delivery', deliveryId);
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      if (!endpoint) throw conflict(`The webhook endpoint ${delivery.endpoint_id} is deleted.`);
      const secrets = await findSigningSecrets(queries, [endpoint.id], clock.now());
      const keys = secrets.map((secret) => signingKeyOf(revealSecret(masterKey, secret)));
      const timestamp = Math.floor(clock.realNow() / 1000);
      const headers = signatureHeaders({ id: deliveryId, timestamp, body }, keys);
      return { url: endpoint.url, headers: { 'content-type': 'application/json', ...headers }, body };
    });
  },

  async wait({ services: { storage, draining }, query, signal }) {
    const { status, timeoutMs } = query;
    const isMet = (row: StoredDelivery) => (status === undefined ? row.status !== 'pending' : row.status === status);
    const deadline = performance.now() + timeoutMs;
    for (let waitMs = LOOK_MS.first; ; waitMs = Math.min(waitMs * 2, LOOK_MS.longest)) {
      const rows = await storage.read((queries) => findNamed(queries, query));
      const response = { deliveries: rows.map(presentSeen) };
      if (rows.length > 0 && rows.every(isMet)) return response;
      // An event is stored together with its deliveries, so an event that has no deliveries now never gets one.
      const isHopeless = rows.length === 0 && query.eventId !== undefined;
      const leftMs = isHopeless ? 0 : deadline - performance.now();
      if (draining()) throw shuttingDown();
      if (leftMs <= 0 || signal.aborted) return Response.json(response, { status: 408 });
      await sleep(Math.min(waitMs, leftMs), undefined, { signal }).catch(() => {});
    }
  },
} satisfies Partial<ControlHandlers>;

const presentAttempt = (row: AttemptTable, body: unknown, bodyText: string | null): LoggedAttempt => ({
  number: row.number,
  startedAt: toTimestamp(row.started_at),
  endedAt: toTimestamp(row.ended_at),
  request: { url: row.url, headers: sentHeaders(row, bodyText), body, bodyText },
  response:
    row.response_status === null
      ? null
      : {
          status: row.response_status,
          headers: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
          body: row.response_body,
        },
  responseTimeMs: row.response_time_ms,
  error: row.error,
  late: row.late === 1,
});

const presentSeen = (row: Pick<StoredDelivery, 'id' | 'endpoint_id' | 'status' | 'attempt'>): SeenDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
});

const presentEventDelivery = (row: Parameters<typeof presentSeen>[0] & { created_at: number }): EventDelivery => ({
  ...presentSeen(row),
  createdAt: toTimestamp(row.created_at),
});

async function findNamed(
  queries: Queries,
  { deliveryId, eventId, endpointId }: Partial<Record<'deliveryId' | 'eventId' | 'endpointId', string | undefined>>,
): Promise<readonly StoredDelivery[]> {
  if (deliveryId !== undefined) {
    if (eventId !== undefined || endpointId !== undefined) throw validation(NAME_ONE);
    return [await existingDelivery(queries, deliveryId)];
  }
  if (eventId !== undefined) {
    const rows = await existingDeliveriesOfEvent(queries, eventId);
    return rows.filter((row) => endpointId === undefined || row.endpoint_id === endpointId);
  }
  if (endpointId === undefined) throw validation(NAME_ONE);
  return found(await findDeliveriesOfEndpoint(queries, endpointId, OF_ENDPOINT_MAX), 'webhook endpoint', endpointId);
}

const NAME_ONE = 'Pass "deliveryId", "eventId" or "endpointId". Only "eventId" and "endpointId" can be combined.';
