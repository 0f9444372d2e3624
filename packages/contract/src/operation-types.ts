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

/** The answers in the table of operations. */
export interface Answers {
  WorkspaceList: ListEnvelope<Workspace>;
  WorkspaceAnswer: { workspace: Workspace };
  UpdatedWorkspaceAnswer: { workspace: UpdatedWorkspace };
  OrganizationList: ListEnvelope<Organization>;
  Identity: Identity;
  SearchResultList: ListEnvelope<SearchResult>;
  WebhookEndpointList: ListEnvelope<WebhookEndpoint>;
  WebhookEndpointAnswer: { endpoint: WebhookEndpoint };
  CreatedWebhookEndpoint: { endpoint: WebhookEndpoint; secret: WebhookSecret };
  WebhookSecretAnswer: { secret: WebhookSecret };
  PingAnswer: { ping: { deliveryId: WebhookDeliveryId } };
  EventTypeList: ListEnvelope<EventTypeItem>;
  WebhookDeliveryList: ListEnvelope<WebhookDelivery>;
  WebhookDeliveryAnswer: { delivery: WebhookDeliveryDetail };
  ReplayAnswer: { delivery: { endpointId: WebhookEndpointId; id: WebhookDeliveryId } };
  Event: Event;
  EventList: ListEnvelope<Event>;
  Ok: { ok: true };
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
