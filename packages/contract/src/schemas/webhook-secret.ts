import * as z from 'zod';
import { WEBHOOK_SECRET_PREFIX } from '../credentials.ts';
import type { WebhookSecret } from '../resources/webhook-secret.ts';
import { id, timestamp } from './primitives.ts';

export const WebhookSecretSchema = z.object({
  id: id('webhookSecret'),
  secret: z.templateLiteral([WEBHOOK_SECRET_PREFIX, z.string()]),
  secretPreview: z.string(),
  createdAt: timestamp,
}) satisfies z.ZodType<WebhookSecret>;
