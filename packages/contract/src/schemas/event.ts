import * as z from 'zod';
import type { Event } from '../resources/event.ts';
import { id, mayBeAbsent, timestamp, tolerant } from './primitives.ts';
import { eventType } from './webhook-delivery.ts';

/** The subject of `lifecycle.evaluated`, of `webhook.endpoint.auto_disabled`, or of any other event. */
export const EventSubjectSchema = z.union([
  z.object({ id: id('workspace'), type: z.literal('workspace'), url: z.string() }),
  z.object({ id: id('webhookEndpoint'), type: z.literal('webhook_endpoint'), url: z.string() }),
  z.object({
    id: z.string(),
    type: tolerant(z.string(), z.string().regex(/^(?!(?:workspace|webhook_endpoint)$)/)),
    url: z.string(),
  }),
]);

export const EventSchema = z.object({
  id: id('event'),
  type: eventType,
  created: timestamp,
  subject: mayBeAbsent(EventSubjectSchema),
}) satisfies z.ZodType<Event>;
