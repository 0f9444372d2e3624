import type { WebhookDeliveryId, WebhookEndpointId } from './ids.ts';
import type { Event, ListEventsQuery } from './resources/event.ts';
import type { EventTypeItem } from './resources/event-type.ts';
import type { Identity } from './resources/identity.ts';
import type { ExpandQuery, ListEnvelope, ListQuery } from './resources/list.ts';
import type { Organization } from './resources/organization.ts';
import type { SearchQuery, SearchResult } from './resources/search-result.ts';
import type {
  ListWebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from './resources/webhook-delivery.ts';
import type {
  CreateWebhookEndpointBody,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
} from './resources/webhook-endpoint.ts';
import type { WebhookSecret } from './resources/webhook-secret.ts';
import type { UpdatedWorkspace, UpdateWorkspaceBody, Workspace } from './resources/workspace.ts';

/** The queries in the table of operations. */
export interface Queries {
  ListQuery: ListQuery;
  ListOrganizationsQuery: ListQuery & ExpandQuery;
  SearchListQuery: ListQuery & SearchQuery;
  ListWebhookDeliveriesPageQuery: ListQuery & ListWebhookDeliveriesQuery;
  ListEventsPageQuery: ListQuery & ListEventsQuery;
}

/** The request bodies in the table of operations. */
export interface Bodies {
  UpdateWorkspaceBody: UpdateWorkspaceBody;
  CreateWebhookEndpointBody: CreateWebhookEndpointBody;
  UpdateWebhookEndpointBody: UpdateWebhookEndpointBody;
}

/**
 * The responses in the table of operations. The docstrings of the fields are the descriptions in the OpenAPI document.
 */
export interface Responses {
  /** All workspaces that the user can access. */
  WorkspaceList: ListEnvelope<Workspace>;
  /** The workspace. */
  WorkspaceResponse: {
    /** The workspace. */
    workspace: Workspace;
  };
  /** The changed workspace. */
  UpdatedWorkspaceResponse: {
    /** The workspace after the change. */
    workspace: UpdatedWorkspace;
  };
  /** Every organization that the user belongs to. */
  OrganizationList: ListEnvelope<Organization>;
  Identity: Identity;
  /** A page of search hits, best match first. */
  SearchResultList: ListEnvelope<SearchResult>;
  /** Every webhook endpoint of the workspace. */
  WebhookEndpointList: ListEnvelope<WebhookEndpoint>;
  /** The webhook endpoint. */
  WebhookEndpointResponse: {
    /** The webhook endpoint. */
    endpoint: WebhookEndpoint;
  };
  /** The new webhook endpoint and its signing secret. */
  CreatedWebhookEndpoint: {
    /** The new webhook endpoint. */
    endpoint: WebhookEndpoint;
    /** The endpoint's signing secret. Keep the secret, because it is returned only once. */
    secret: WebhookSecret;
  };
  /** The new signing secret. */
  WebhookSecretResponse: {
    /** The new signing secret. Keep the secret, because it is returned only once. */
    secret: WebhookSecret;
  };
  /** Confirms that the test event is queued. */
  PingResponse: {
    /** The queued test event. */
    ping: {
      /** Id of the test event's delivery. */
      deliveryId: WebhookDeliveryId;
    };
  };
  /** A page of the event catalog, ordered by type. */
  EventTypeList: ListEnvelope<EventTypeItem>;
  /** A page of deliveries, newest first. */
  WebhookDeliveryList: ListEnvelope<WebhookDelivery>;
  /** The delivery with all its fields. */
  WebhookDeliveryResponse: {
    /** The delivery with all its fields. */
    delivery: WebhookDeliveryDetail;
  };
  /** Confirms that the new delivery is queued. */
  ReplayResponse: {
    /** The new delivery. */
    delivery: {
      /** The endpoint that receives the delivery. */
      endpointId: WebhookEndpointId;
      /** Id of the new delivery. */
      id: WebhookDeliveryId;
    };
  };
  Event: Event;
  /** A page of events, newest first. */
  EventList: ListEnvelope<Event>;
  /** Confirms that the webhook endpoint is deleted. */
  Ok: {
    /** Always true. */
    ok: true;
  };
}

export type QueryName = keyof Queries;
export type BodyName = keyof Bodies;
export type ResponseName = keyof Responses;
