import type { OperationName } from '@svc/contract';
import type { Handler } from '../operation.ts';
import * as deliveries from './deliveries.ts';
import * as events from './events.ts';
import { listEventTypes } from './events.ts';
import { search } from './search.ts';
import * as tenants from './tenants.ts';
import * as webhookEndpoints from './webhook-endpoints.ts';

export const handlers: { [Name in OperationName]: Handler<Name> } = {
  ...deliveries,
  ...events,
  listEventTypesByShortPath: listEventTypes,
  ...tenants,
  ...webhookEndpoints,
  search,
};
