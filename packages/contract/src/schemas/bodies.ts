import type { Bodies } from '../operation-types.ts';
import type { Complete } from './complete.ts';
import { CreateWebhookEndpointBodySchema, UpdateWebhookEndpointBodySchema } from './webhook-endpoint.ts';
import { UpdateWorkspaceBodySchema } from './workspace-input.ts';

/** The schemas of request bodies in the table of operations. Unknown fields are dropped. */
export const bodySchemas = {
  UpdateWorkspaceBody: UpdateWorkspaceBodySchema,
  CreateWebhookEndpointBody: CreateWebhookEndpointBodySchema,
  UpdateWebhookEndpointBody: UpdateWebhookEndpointBodySchema,
} satisfies { [Name in keyof Bodies]: Complete<Bodies[Name]> };
