import { EventSchema } from './event.ts';
import { EventTypeItemSchema } from './event-type.ts';
import { IdentitySchema } from './identity.ts';
import { EmbeddedWorkspaceSchema, OrganizationSchema } from './organization.ts';
import { json } from './primitives.ts';
import { SearchResultSchema } from './search-result.ts';
import { WebhookDeliveryDetailSchema, WebhookDeliverySchema } from './webhook-delivery.ts';
import { WebhookEndpointSchema } from './webhook-endpoint.ts';
import { WebhookSecretSchema } from './webhook-secret.ts';
import { UpdatedWorkspaceSchema, WorkspaceSchema } from './workspace.ts';

/** The schemas of all resources, keyed by their names in the OpenAPI document. */
export const resourceSchemas = {
  Workspace: WorkspaceSchema,
  UpdatedWorkspace: UpdatedWorkspaceSchema,
  Organization: OrganizationSchema,
  EmbeddedWorkspace: EmbeddedWorkspaceSchema,
  Identity: IdentitySchema,
  SearchResult: SearchResultSchema,
  WebhookEndpoint: WebhookEndpointSchema,
  WebhookSecret: WebhookSecretSchema,
  WebhookDelivery: WebhookDeliverySchema,
  WebhookDeliveryDetail: WebhookDeliveryDetailSchema,
  Event: EventSchema,
  EventTypeItem: EventTypeItemSchema,
  JsonValue: json,
};
