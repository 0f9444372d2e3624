import { demo } from './tenants.ts';

/** All operations in the service document. The workspace in the paths exists, but the other resources do not. */
export const OPERATIONS = [
  ['GET', '/v1/workspaces'],
  ['GET', `/v1/workspaces/${demo.production}`],
  ['PATCH', `/v1/workspaces/${demo.production}`],
  ['GET', '/v1/organizations'],
  ['GET', '/v1/me'],
  ['GET', '/v1/search'],
  ['GET', '/v1/webhooks/endpoints'],
  ['GET', '/v1/webhooks/endpoints/whe_x'],
  ['POST', '/v1/webhooks/endpoints'],
  ['PATCH', '/v1/webhooks/endpoints/whe_x'],
  ['DELETE', '/v1/webhooks/endpoints/whe_x'],
  ['GET', '/v1/webhooks/endpoints/event-types'],
  ['GET', '/v1/webhooks/event-types'],
  ['POST', '/v1/webhooks/endpoints/whe_x/rotate-secret'],
  ['POST', '/v1/webhooks/endpoints/whe_x/send-test-event'],
  ['GET', '/v1/webhooks/deliveries'],
  ['GET', '/v1/webhooks/deliveries/whd_x'],
  ['POST', '/v1/webhooks/deliveries/whd_x/replay'],
  ['GET', '/v1/events/evt_x'],
  ['GET', '/v1/events'],
] as const;
