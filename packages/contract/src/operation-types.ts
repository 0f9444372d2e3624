import type { WebhookDeliveryId, WebhookEndpointId } from './ids.ts';
import type { operations } from './operations.ts';
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

/** The answers in the table of operations. Their docstrings are the texts of the OpenAPI document. */
export interface Answers {
  /** Every workspace that the user can access. */
  WorkspaceList: ListEnvelope<Workspace>;
  /** The workspace. */
  WorkspaceAnswer: {
    /** The workspace. */
    workspace: Workspace;
  };
  /** The changed workspace. */
  UpdatedWorkspaceAnswer: {
    /** The workspace after the change. */
    workspace: UpdatedWorkspace;
  };
  /** Every organization that the user belongs to. */
  OrganizationList: ListEnvelope<Organization>;
  Identity: Identity;
  /** A page of hits, best match first. */
  SearchResultList: ListEnvelope<SearchResult>;
  /** Every webhook endpoint of the workspace. */
  WebhookEndpointList: ListEnvelope<WebhookEndpoint>;
  /** The webhook endpoint. */
  WebhookEndpointAnswer: {
    /** The webhook endpoint. */
    endpoint: WebhookEndpoint;
  };
  /** The new webhook endpoint and its signing secret. */
  CreatedWebhookEndpoint: {
    /** The new webhook endpoint. */
    endpoint: WebhookEndpoint;
    /** Its signing secret. Keep it: it is returned only once. */
    secret: WebhookSecret;
  };
  /** The new signing secret. */
  WebhookSecretAnswer: {
    /** The new signing secret. Keep it: it is returned only once. */
    secret: WebhookSecret;
  };
  /** The test event is queued. */
  PingAnswer: {
    /** The queued test event. */
    ping: {
      /** Id of its delivery. */
      deliveryId: WebhookDeliveryId;
    };
  };
  /** A page of the event catalog, ordered by type. */
  EventTypeList: ListEnvelope<EventTypeItem>;
  /** A page of deliveries, newest first. */
  WebhookDeliveryList: ListEnvelope<WebhookDelivery>;
  /** The delivery with its snapshot fields. */
  WebhookDeliveryAnswer: {
    /** The delivery with its snapshot fields. */
    delivery: WebhookDeliveryDetail;
  };
  /** The new delivery is queued. */
  ReplayAnswer: {
    /** The new delivery. */
    delivery: {
      /** The endpoint that receives it. */
      endpointId: WebhookEndpointId;
      /** Id of the new delivery. */
      id: WebhookDeliveryId;
    };
  };
  Event: Event;
  /** A page of events, newest first. */
  EventList: ListEnvelope<Event>;
  /** The webhook endpoint is deleted. */
  Ok: {
    /** Always true. */
    ok: true;
  };
}

export type QueryName = keyof Queries;
export type BodyName = keyof Bodies;
export type AnswerName = keyof Answers;

type Table = typeof operations;

/** The answer of an operation on success. */
export type AnswerOf<Name extends keyof Table> = Answers[Table[Name]['answer']];

/** The query of an operation, or `undefined` if it has none. */
export type QueryOf<Name extends keyof Table> = Table[Name]['query'] extends QueryName
  ? Queries[Table[Name]['query']]
  : undefined;

/** The body of an operation, or `undefined` if it has none. */
export type BodyOf<Name extends keyof Table> = Table[Name]['body'] extends BodyName
  ? Bodies[Table[Name]['body']]
  : undefined;

/** The names of the parameters in an operation's path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** The name of a parameter in the path of any operation. */
export type ParameterName = PathParameters<Table[keyof Table]['path']>;

/** The places in a value where a string is: `endpoint.id`. */
type Places<Value> = {
  [Key in keyof Value & string]: Value[Key] extends string
    ? Key
    : Value[Key] extends unknown[]
      ? never
      : `${Key}.${Places<Value[Key]>}`;
}[keyof Value & string];

/** Where an operation's call names ids: in its path, and in its answer. */
export type PlacesOf<Name extends keyof Table> = PathParameters<Table[Name]['path']> | Places<AnswerOf<Name>>;
