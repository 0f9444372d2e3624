import type {
  CreateWebhookEndpointBody,
  Event,
  EventTypeItem,
  ExpandQuery,
  Identity,
  ListEnvelope,
  ListEventsQuery,
  ListQuery,
  ListWebhookDeliveriesQuery,
  Organization,
  SearchQuery,
  SearchResult,
  UpdatedWorkspace,
  UpdateWebhookEndpointBody,
  UpdateWorkspaceBody,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookSecret,
  Workspace,
} from '@svc/contract';

/**
 * The answer of every operation, as the service sends it, by the operation's method and path.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
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
 * The body that an operation takes. An operation that is not listed takes none.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export interface RouteBodies {
  'PATCH /v1/workspaces/{workspaceId}': UpdateWorkspaceBody;
  'POST /v1/webhooks/endpoints': CreateWebhookEndpointBody;
  'PATCH /v1/webhooks/endpoints/{endpointId}': UpdateWebhookEndpointBody;
}

/**
 * The query that an operation takes. An operation that is not listed takes none.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export interface RouteQueries {
  'GET /v1/organizations': ListQuery & ExpandQuery;
  'GET /v1/workspaces': ListQuery;
  'GET /v1/search': ListQuery & SearchQuery;
  'GET /v1/webhooks/endpoints': ListQuery;
  'GET /v1/webhooks/endpoints/event-types': ListQuery;
  'GET /v1/webhooks/event-types': ListQuery;
  'GET /v1/webhooks/deliveries': ListQuery & ListWebhookDeliveriesQuery;
  'GET /v1/events': ListQuery & ListEventsQuery;
}

/**
 * An operation by its method and path, for example `GET /v1/events/{eventId}`. Errors, middleware and schemas use this name.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type Route = keyof RouteAnswers;

/**
 * The route of a request: `GET /v1/events/{eventId}` for `GET /v1/events/evt_1`. `never` if this version does not know it.
 *
 * {@includeCode ../test/documented/requests.ts#routes}
 */
export type RouteOf<Request extends string> = Request extends Route
  ? Request
  : { [Name in Route]: IfOn<Name, Request> }[Route];

/** `Name` if the request's path matches that route. The parameter matches one segment. */
type IfOn<Name extends string, Request extends string> = Name extends `${infer Head}{${string}}${infer Tail}`
  ? Request extends `${Head}${infer Id}${Tail}`
    ? Id extends `${string}/${string}`
      ? never
      : Name
    : never
  : never;
