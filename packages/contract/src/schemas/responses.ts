import * as z from 'zod';
import type { Responses } from '../operation-types.ts';
import { EventSchema } from './event.ts';
import { EventTypeItemSchema } from './event-type.ts';
import { IdentitySchema } from './identity.ts';
import { OrganizationSchema } from './organization.ts';
import { id, pageUrl } from './primitives.ts';
import { SearchResultSchema } from './search-result.ts';
import { WebhookDeliveryDetailSchema, WebhookDeliverySchema } from './webhook-delivery.ts';
import { WebhookEndpointSchema } from './webhook-endpoint.ts';
import { WebhookSecretSchema } from './webhook-secret.ts';
import { UpdatedWorkspaceSchema, WorkspaceSchema } from './workspace.ts';

const list = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextPageUrl: pageUrl.nullable(), previousPageUrl: pageUrl.nullable() });

/**
 * The schemas of responses in the table of operations. Unknown enum members are accepted. The schemas drop unknown
 * fields. To keep these fields, call `loose()` on the imported schema.
 */
export const responseSchemas = {
  WorkspaceList: list(WorkspaceSchema),
  WorkspaceResponse: z.object({ workspace: WorkspaceSchema }),
  UpdatedWorkspaceResponse: z.object({ workspace: UpdatedWorkspaceSchema }),
  OrganizationList: list(OrganizationSchema),
  Identity: IdentitySchema,
  SearchResultList: list(SearchResultSchema),
  WebhookEndpointList: list(WebhookEndpointSchema),
  WebhookEndpointResponse: z.object({ endpoint: WebhookEndpointSchema }),
  CreatedWebhookEndpoint: z.object({ endpoint: WebhookEndpointSchema, secret: WebhookSecretSchema }),
  WebhookSecretResponse: z.object({ secret: WebhookSecretSchema }),
  PingResponse: z.object({ ping: z.object({ deliveryId: id('webhookDelivery') }) }),
  EventTypeList: list(EventTypeItemSchema),
  WebhookDeliveryList: list(WebhookDeliverySchema),
  WebhookDeliveryResponse: z.object({ delivery: WebhookDeliveryDetailSchema }),
  ReplayResponse: z.object({ delivery: z.object({ endpointId: id('webhookEndpoint'), id: id('webhookDelivery') }) }),
  Event: EventSchema,
  EventList: list(EventSchema),
  Ok: z.object({ ok: z.literal(true) }),
} satisfies { [Name in keyof Responses]: z.ZodType<Responses[Name]> };
