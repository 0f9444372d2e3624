import type { OperationName } from '@svc/contract';
import type { Handler } from '../operation.ts';
import { listWebhookDeliveries, replayWebhookDelivery, retrieveWebhookDelivery } from './deliveries.ts';
import { listEventTypes } from './event-types.ts';
import { listEvents, retrieveEvent } from './events.ts';
import { retrieveIdentity } from './identity.ts';
import { listOrganizations } from './organizations.ts';
import { search } from './search.ts';
import { sendTestEvent } from './test-events.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';
import { rotateWebhookSecret } from './webhook-secrets.ts';
import { listWorkspaces, patchWorkspace, retrieveWorkspace } from './workspaces.ts';

/** The handler of every operation in the contract. A missing handler is a compile error. */
export const handlers: { [Name in OperationName]: Handler<Name> } = {
  listWorkspaces,
  retrieveWorkspace,
  updateWorkspace: patchWorkspace,
  listOrganizations,
  retrieveIdentity,
  search,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  listEventTypes,
  listEventTypesByShortPath: listEventTypes,
  rotateWebhookSecret,
  sendTestEvent,
  listWebhookDeliveries,
  retrieveWebhookDelivery,
  replayWebhookDelivery,
  retrieveEvent,
  listEvents,
};
