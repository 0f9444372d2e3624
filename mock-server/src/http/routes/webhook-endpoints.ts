import { ENDPOINTS_PER_WORKSPACE_MAX, LATEST_API_VERSION } from '@svc/contract';
import { createSecret } from '../../domain/webhook-secret.ts';
import {
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from '../../storage/statements/endpoints.ts';
import { insertSecret } from '../../storage/statements/secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { presentEndpoint, presentSecret } from '../present/endpoint.ts';
import { acceptReceiverUrl, acceptSubscribedEvents } from './endpoint-rules.ts';

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = async ({ services, scope, query }) => {
  const rows = await services.storage.read((queries) => listEndpoints(queries, scope.workspaceId));
  return respondWithSinglePage(rows.map(presentEndpoint), query.page);
};

export const retrieveWebhookEndpoint: Handler<'retrieveWebhookEndpoint'> = async ({ services, scope, params }) => {
  const row = await services.storage.read((queries) => findEndpoint(queries, scope.workspaceId, params.endpointId));
  if (!row) throw notFound('webhook endpoint', params.endpointId);
  return { endpoint: presentEndpoint(row) };
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
      throw new ApiError('CONFLICT', `The workspace has ${ENDPOINTS_PER_WORKSPACE_MAX} webhook endpoints already.`);
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
  if (!row) throw notFound('webhook endpoint', params.endpointId);
  return { endpoint: presentEndpoint(row) };
};

export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = async ({ services, scope, params }) => {
  const deleted = await services.storage.write((queries) =>
    deleteEndpoint(queries, scope.workspaceId, params.endpointId),
  );
  if (!deleted) throw notFound('webhook endpoint', params.endpointId);
  return { ok: true };
};
