import type { DeliveryExplanation, EventDelivery, LoggedAttempt } from '@svc/contract/control/resources';
import { type DeliveryFacts, explainDelivery } from '../../domain/explain-delivery.ts';
import { signatureHeaders } from '../../domain/signature.ts';
import { revealSecret, signingKeyOf } from '../../domain/webhook-secret.ts';
import type { AttemptTable } from '../../storage/schema/webhooks.ts';
import {
  findDeliveriesOfEvent,
  findDeliveryAnywhere,
  findReplays,
  listAttempts,
  type StoredDelivery,
} from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { findEventBody } from '../../storage/statements/events.ts';
import { findLane } from '../../storage/statements/lanes/turns.ts';
import { listSecrets } from '../../storage/statements/secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import { toTimestamp, toTimestampOrNull } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls for deliveries: their attempts, their replays, the explanation of their state, and their signature. */
export const deliveryHandlers = {
  async listAttempts({ services: { storage }, params: { deliveryId } }) {
    const found = await storage.read((queries) => listAttempts(queries, deliveryId));
    if (!found) throw notFound('webhook delivery', deliveryId);
    const body = found.body === null ? null : (JSON.parse(found.body) as unknown);
    return { attempts: found.attempts.map((row) => presentAttempt(row, body, found.body)) };
  },

  async explainDelivery({ services: { storage, clock, timeline, findOnNode }, params: { deliveryId } }) {
    await timeline.refresh();
    const found = await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, deliveryId);
      if (!delivery) return undefined;
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      return { delivery, endpoint, lane: await findLane(queries, delivery.endpoint_id) };
    });
    if (!found) throw notFound('webhook delivery', deliveryId);
    const { delivery, endpoint, lane } = found;
    const { attemptsMax, ...here } = findOnNode({
      id: deliveryId,
      endpointId: delivery.endpoint_id,
      workspaceId: delivery.workspace_id,
    });
    const facts: DeliveryFacts = {
      status: delivery.status as DeliveryFacts['status'],
      attempt: delivery.attempt,
      attemptsMax,
      nextAttemptAt: delivery.next_attempt_at,
      deliveredAt: delivery.delivered_at,
      error: delivery.error,
      endpoint: endpoint && { active: endpoint.active === 1, consecutiveFailures: endpoint.consecutive_failures },
      laneIsHeld: lane?.node != null,
      here,
      clock: { now: clock.now(), frozen: clock.state.frozenAt !== null },
    };
    const { failuresUntilDisabled, ...said } = explainDelivery(facts);
    const response: DeliveryExplanation = {
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
    return { explanation: response };
  },

  async listDeliveriesOfEvent({ services: { storage }, params: { eventId } }) {
    const rows = await storage.read((queries) => findDeliveriesOfEvent(queries, eventId));
    if (!rows) throw notFound('event', eventId);
    return { deliveries: rows.map(presentEventDelivery) };
  },

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

  async signDelivery({ services: { storage, clock, masterKey }, params: { deliveryId } }) {
    return await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, deliveryId);
      const body = delivery && (await findEventBody(queries, delivery.workspace_id, delivery.payload_event_id));
      if (!delivery || body === undefined) throw notFound('webhook delivery', deliveryId);
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      if (!endpoint) throw new ApiError('CONFLICT', `The webhook endpoint ${delivery.endpoint_id} is deleted.`);
      const secrets = (await listSecrets(queries, endpoint.id)).filter(
        ({ expires_at }) => expires_at === null || expires_at > clock.now(),
      );
      const keys = secrets.map((secret) => signingKeyOf(revealSecret(masterKey, secret)));
      const timestamp = Math.floor(clock.realNow() / 1000);
      const headers = signatureHeaders({ id: deliveryId, timestamp, body }, keys);
      return { url: endpoint.url, headers: { 'content-type': 'application/json', ...headers }, body };
    });
  },
} satisfies Partial<ControlHandlers>;

const presentAttempt = (row: AttemptTable, body: unknown, bodyText: string | null): LoggedAttempt => ({
  number: row.number,
  startedAt: toTimestamp(row.started_at),
  endedAt: toTimestamp(row.ended_at),
  request: { url: row.url, headers: JSON.parse(row.request_headers) as Record<string, string>, body, bodyText },
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

/** Converts a delivery to the short form of the control API. */
const presentEventDelivery = (
  row: Pick<StoredDelivery, 'id' | 'endpoint_id' | 'status' | 'attempt' | 'created_at'>,
): EventDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  status: row.status,
  attempt: row.attempt,
  createdAt: toTimestamp(row.created_at),
});

const REPLAYS_MAX = 20;
