export type {
  CreateWebhookEndpointBody,
  DeliveryStatus,
  DeliverySubject,
  EmbeddedWorkspace,
  ErrorCode,
  EventId,
  EventType,
  EventTypeItem,
  Identity,
  JsonValue,
  ListEnvelope,
  Open,
  OrganizationId,
  OrganizationPermission,
  OtherThan,
  Role,
  SearchResult,
  SearchType,
  SubscribedEvent,
  Timestamp,
  UpdatedWorkspace,
  UpdateWebhookEndpointBody,
  UpdateWorkspaceBody,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointSubject,
  WebhookSecret,
  WebhookSecretId,
  Workspace,
  WorkspaceId,
  WorkspacePermission,
  WorkspaceSubject,
} from '@svc/contract';
export type { Call, DataWithResponse } from './call.ts';
export { createClient } from './client.ts';
export type { ApiKeyClient, Closable, UserClient, WorkspaceClient, WorkspaceScope } from './clients.ts';
export {
  AbortedError,
  ApiError,
  type ApiErrorFields,
  isApiError,
  isServiceError,
  NetworkError,
  ResponseError,
  ServiceError,
  TimeoutError,
  UsageError,
} from './errors.ts';
export type {
  AddedEvent,
  EndpointAutoDisabledEvent,
  Event,
  EventEnvelope,
  KnownEvent,
  LifecycleEvaluatedEvent,
  PingEvent,
  UnknownEvent,
} from './events.ts';
export type { Evidence } from './evidence.ts';
export type { Expanded, ExpandOf, Expansions } from './expand.ts';
export type { Follow } from './follow-subject.ts';
export { type IdParameter, type IdPrefix, isId } from './ids.ts';
export type { List, ListOperation } from './list.ts';
export type { Logger } from './logger.ts';
export type { Middleware, MiddlewareContext, Next } from './middleware.ts';
export type { EventOperations, ListEventsParams } from './operations/events.ts';
export type { ApiKeyIdentity, IdentityWorkspace, MemberIdentity, MeOperations, UserIdentity } from './operations/me.ts';
export type {
  ExpandedOrganization,
  ListOrganizations,
  ListOrganizationsParams,
  Organization,
  OrganizationOperations,
} from './operations/organizations.ts';
export type { SearchOperation, SearchParams } from './operations/search.ts';
export type {
  ListDeliveries,
  ListDeliveriesParams,
  WebhookDeliveryOperations,
} from './operations/webhook-deliveries.ts';
export type { WebhookEndpointOperations } from './operations/webhook-endpoints.ts';
export type { WebhookOperations } from './operations/webhooks.ts';
export type { UserWorkspaceOperations, WorkspaceOperations } from './operations/workspaces.ts';
export type {
  ApiKeyClientOptions,
  Bounds,
  CallOptions,
  ChangeableOptions,
  ClientOptions,
  Credential,
  UserClientOptions,
} from './options.ts';
export type { Page } from './page.ts';
export type { PagesOptions } from './pages-options.ts';
export type { ListParams } from './params.ts';
export type {
  Closes,
  Fetch,
  FetchedResponse,
  FetchInit,
  RawRequest,
  RawResponse,
  ResponseHeaders,
  Signal,
} from './platform.ts';
export type { RateLimit } from './rate-limit-headers.ts';
export type { RequestOperation, RequestOptions, RequestPart, RequestQuery } from './request.ts';
export type { ResponseInfo } from './response-info.ts';
export type { Route, RouteBodies, RouteOf, RouteQueries, RouteResponses } from './routes.ts';
export type { Method } from './sender.ts';
export type { EventSubject, Followable, Followed, OtherSubject } from './subjects.ts';
export type { ResponseSchema, ResponseSchemas, Validation, ValidationResult } from './validation.ts';
