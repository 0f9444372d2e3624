import * as z from 'zod';
import { WEBHOOK_SECRET_PREFIX } from '../credentials.ts';
import type { WebhookSecret } from '../resources/webhook-secret.ts';
import { id, opaque, timestamp, tolerant } from './primitives.ts';

export const WebhookSecretSchema = z.object({
  id: id('webhookSecret'),
  secret: tolerant(
    z.templateLiteral([WEBHOOK_SECRET_PREFIX, opaque]),
    z.string().regex(new RegExp(`^${WEBHOOK_SECRET_PREFIX}(?=.*[-_])[\\w-]{43}$`)),
  ),
  secretPreview: z.string(),
  createdAt: timestamp,
}) satisfies z.ZodType<WebhookSecret>;
