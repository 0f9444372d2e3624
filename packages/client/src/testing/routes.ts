import {
  type Event,
  type EventTypeItem,
  type Identity,
  type ListEnvelope,
  type Organization,
  operations,
  type SearchResult,
  type UpdatedWorkspace,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  type WebhookDeliveryId,
  type WebhookEndpoint,
  type WebhookEndpointId,
  type WebhookSecret,
  type Workspace,
} from '@svc/contract';

/**
 * The answer of every operation as it stands on the wire, by the operation's method and path.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export interface RouteAnswers {
  'GET /v1/me': Identity;
  'GET /v1/organizations': ListEnvelope<Organization>;
  'GET /v1/workspaces': ListEnvelope<Workspace>;
  'GET /v1/workspaces/{workspaceId}': { workspace: Workspace };
  'PATCH /v1/workspaces/{workspaceId}': { workspace: UpdatedWorkspace };
  'GET /v1/search': ListEnvelope<SearchResult>;
  'GET /v1/webhooks/endpoints': ListEnvelope<WebhookEndpoint>;
  'POST /v1/webhooks/endpoints': { endpoint: WebhookEndpoint; secret: WebhookSecret };
  'GET /v1/webhooks/endpoints/{endpointId}': { endpoint: WebhookEndpoint };
  'PATCH /v1/webhooks/endpoints/{endpointId}': { endpoint: WebhookEndpoint };
  'DELETE /v1/webhooks/endpoints/{endpointId}': { ok: true };
  'POST /v1/webhooks/endpoints/{endpointId}/rotate-secret': { secret: WebhookSecret };
  'POST /v1/webhooks/endpoints/{endpointId}/send-test-event': { ping: { deliveryId: WebhookDeliveryId } };
  'GET /v1/webhooks/endpoints/event-types': ListEnvelope<EventTypeItem>;
  'GET /v1/webhooks/event-types': ListEnvelope<EventTypeItem>;
  'GET /v1/webhooks/deliveries': ListEnvelope<WebhookDelivery>;
  'GET /v1/webhooks/deliveries/{deliveryId}': { delivery: WebhookDeliveryDetail };
  'POST /v1/webhooks/deliveries/{deliveryId}/replay': {
    delivery: { endpointId: WebhookEndpointId; id: WebhookDeliveryId };
  };
  'GET /v1/events': ListEnvelope<Event>;
  'GET /v1/events/{eventId}': Event;
}

/**
 * An operation by its method and path, as errors, middleware and schemas name it: `GET /v1/events/{eventId}`.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export type Route = keyof RouteAnswers;

/** What the contract says of a route. */
interface KnownRoute {
  route: Route;
  status: number;
  pattern: RegExp;
}

// Paths without a parameter first: `…/endpoints/event-types` is none of the endpoints.
const known: KnownRoute[] = Object.values(operations)
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ method, path, status }) => ({
    route: `${method} ${path}` as Route,
    status,
    pattern: new RegExp(`^${method} .*?${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The route that a request is on. */
export function findRoute(method: string, pathname: string): KnownRoute | undefined {
  return known.find(({ pattern }) => pattern.test(`${method} ${pathname}`));
}
