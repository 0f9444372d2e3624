import {
  ENDPOINTS_PER_WORKSPACE_MAX,
  LATEST_API_VERSION,
  PREVIOUS_SECRET_VALID_MS,
  PREVIOUS_SECRETS_MAX,
  type WebhookDeliveryId,
  type WebhookEndpoint,
  type WebhookEndpointId,
  type WebhookSecret,
  type WebhookSecretId,
  type WorkspaceId,
} from '@svc/contract';
import { createSecret, type RawSecret, type StoredSecret } from '../../domain/derive-secret.ts';
import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import type { NewEvent } from '../../domain/event-envelope.ts';
import type { Instant } from '../../domain/instant.ts';
import { subscriptionProblem } from '../../domain/subscription-problem.ts';
import { tracingEvents } from '../../runtime/tracing.ts';
import { insertEndpoint, insertSecret, updateEndpoint } from '../../storage/changes/endpoints.ts';
import { insertDeliveries } from '../../storage/delivery/accept.ts';
import type { Queries } from '../../storage/port.ts';
import type { EndpointTable } from '../../storage/schema/webhooks.ts';
import { deleteEndpoint, findEndpoint, listEndpoints, lockEndpoint } from '../../storage/statements/endpoints.ts';
import { insertEvents } from '../../storage/statements/events.ts';
import { listSecrets } from '../../storage/statements/secrets.ts';
import { conflict, found, notFound, validation } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { toTimestamp } from '../present.ts';
import type { Services } from '../services.ts';

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = async ({ services, scope, query }) => {
  const rows = await services.storage.read((queries) => listEndpoints(queries, scope.workspaceId));
  return respondWithSinglePage(rows.map(presentEndpoint), query.page);
};

export const retrieveWebhookEndpoint: Handler<'retrieveWebhookEndpoint'> = async ({ services, scope, params }) => {
  const row = await services.storage.read((queries) => findEndpoint(queries, scope.workspaceId, params.endpointId));
  return { endpoint: presentEndpoint(found(row, 'webhook endpoint', params.endpointId)) };
};

export const createWebhookEndpoint: Handler<'createWebhookEndpoint'> = async ({ services, scope, body }) => {
  acceptReceiverUrl(services, body.url);
  const now = services.clock.now();
  const row = {
    id: services.ids.next('webhookEndpoint'),
    workspace_id: scope.workspaceId,
    url: body.url,
    description: body.description ?? null,
    subscribed_events: JSON.stringify(acceptSubscribedEvents(services, body.subscribedEvents)),
    active: 1,
    api_version: body.apiVersion ?? LATEST_API_VERSION,
    consecutive_failures: 0,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  };
  const { raw, stored } = createSecret(services.masterKey, services.ids.next('webhookSecret'), services.random);
  await services.storage.write(async (queries) => {
    if (!(await insertEndpoint(queries, row, ENDPOINTS_PER_WORKSPACE_MAX))) {
      throw conflict(`The workspace has ${ENDPOINTS_PER_WORKSPACE_MAX} webhook endpoints already.`);
    }
    await insertSecret(queries, row.id, stored, { now, previousExpiresAt: now });
  });
  return { endpoint: presentEndpoint(row), secret: presentSecret(raw, stored, now) };
};

export const updateWebhookEndpoint: Handler<'updateWebhookEndpoint'> = async ({ services, scope, params, body }) => {
  if (body.url !== undefined) acceptReceiverUrl(services, body.url);
  const change = {
    ...body,
    ...(body.subscribedEvents && { subscribedEvents: acceptSubscribedEvents(services, body.subscribedEvents) }),
  };
  const row = await services.storage.write((queries) =>
    updateEndpoint(queries, { workspaceId: scope.workspaceId, id: params.endpointId }, change, services.clock.now()),
  );
  return { endpoint: presentEndpoint(found(row, 'webhook endpoint', params.endpointId)) };
};

export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = async ({ services, scope, params }) => {
  const deleted = await services.storage.write((queries) =>
    deleteEndpoint(queries, scope.workspaceId, params.endpointId),
  );
  if (!deleted) throw notFound('webhook endpoint', params.endpointId);
  return { ok: true };
};

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ services, scope, params }) => {
  const now = services.clock.now();
  const { raw, stored } = createSecret(services.masterKey, services.ids.next('webhookSecret'), services.random);
  await services.storage.write(async (queries) => {
    const endpoint = await findEndpoint(queries, scope.workspaceId, params.endpointId);
    if (!endpoint || !(await lockEndpoint(queries, endpoint.id))) throw notFound('webhook endpoint', params.endpointId);
    const secrets = await listSecrets(queries, endpoint.id);
    const expiries = secrets.flatMap(({ expires_at }) => expires_at ?? []).filter((at) => at > now);
    if (expiries.length >= PREVIOUS_SECRETS_MAX) {
      throw conflict(
        `The webhook endpoint ${endpoint.id} has ${PREVIOUS_SECRETS_MAX} previous secrets that are still valid; the secret can be rotated again at ${toTimestamp(Math.min(...expiries))}.`,
      );
    }
    await insertSecret(queries, endpoint.id, stored, { now, previousExpiresAt: now + PREVIOUS_SECRET_VALID_MS });
  });
  return { secret: presentSecret(raw, stored, now) };
};

export const sendTestEvent: Handler<'sendTestEvent'> = async ({ services, scope, params }) => {
  const { clock, ids, intake, storage } = services;
  // Read the clock first, so that the time in an id is never before the row's creation time.
  const createdAt = clock.now();
  const deliveryId = ids.next('webhookDelivery');
  const ping: NewEvent = { id: ids.next('event'), workspaceId: scope.workspaceId, type: 'webhook.ping', createdAt };
  const accept = async (queries: Queries, event: NewEvent) => {
    const endpoint = await findEndpoint(queries, scope.workspaceId, params.endpointId);
    if (!endpoint) throw notFound('webhook endpoint', params.endpointId);
    if (!endpoint.active) throw conflict(`The webhook endpoint ${endpoint.id} is inactive.`);
    await insertEvents(queries, [event]);
    await insertDeliveries(queries, [
      {
        id: deliveryId,
        workspaceId: scope.workspaceId,
        endpointId: endpoint.id,
        eventId: event.id,
        payloadEventId: event.id,
        eventType: event.type,
        status: 'pending',
        createdAt: event.createdAt,
      },
    ]);
  };
  await tracingEvents([ping], ([event = ping]) => intake.accept(storage, (queries) => accept(queries, event)));
  return { ping: { deliveryId: deliveryId as WebhookDeliveryId } };
};

function acceptReceiverUrl(rules: ReceiverRules, url: string): void {
  const problem = receiverUrlProblem(url, rules);
  if (problem) throw validation(`Invalid body: "url" ${problem}.`);
}

function acceptSubscribedEvents({ catalog }: Pick<Services, 'catalog'>, patterns: readonly string[]): string[] {
  const types = catalog.types();
  for (const [index, pattern] of patterns.entries()) {
    const problem = subscriptionProblem(pattern, types);
    if (problem) throw validation(`Invalid body: "subscribedEvents.${index}" is invalid: ${problem}.`);
  }
  return [...new Set(patterns)];
}

function presentEndpoint(row: EndpointTable): WebhookEndpoint {
  return {
    id: row.id as WebhookEndpointId,
    workspaceId: row.workspace_id as WorkspaceId,
    url: row.url,
    description: row.description,
    subscribedEvents: JSON.parse(row.subscribed_events) as string[],
    active: row.active === 1,
    apiVersion: row.api_version,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function presentSecret(raw: RawSecret, stored: StoredSecret, createdAt: Instant): WebhookSecret {
  return {
    id: stored.id as WebhookSecretId,
    secret: raw,
    secretPreview: stored.preview,
    createdAt: toTimestamp(createdAt),
  };
}
