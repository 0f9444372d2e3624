import * as z from 'zod';
import type { Event } from '../resources/event.ts';
import { id, timestamp } from './primitives.ts';
import { eventType } from './webhook-delivery.ts';

const EventSubjectSchema = z.union([
  z.object({ id: id('workspace'), type: z.literal('workspace'), url: z.string() }),
  z.object({ id: id('webhookEndpoint'), type: z.literal('webhook_endpoint'), url: z.string() }),
  z.object({ id: z.string(), type: z.string(), url: z.string() }),
]);

export const EventSchema = z.object({
  id: id('event'),
  type: eventType,
  created: timestamp,
  subject: EventSubjectSchema.exactOptional(),
}) satisfies z.ZodType<Event>;
