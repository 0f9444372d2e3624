import * as z from 'zod';
import { EVENT_CATALOG, type EventType } from '../events.ts';
import {
  DELIVERY_STATUSES,
  type DeliverySubject,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '../resources/webhook-delivery.ts';
import { id, json, open, timestamp } from './primitives.ts';

export const eventType = open(EVENT_CATALOG.map((item) => item.type) as [EventType]);

const nullableHeaders = z.record(z.string(), z.string()).nullable();

export const WebhookDeliverySchema = z.object({
  id: id('webhookDelivery'),
  workspaceId: id('workspace'),
  endpointId: id('webhookEndpoint'),
  eventId: id('event'),
  eventType,
  status: open(DELIVERY_STATUSES),
  attempt: z.int().min(0),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
  error: z.string().nullable(),
  responseStatus: z.int().nullable(),
  responseTimeMs: z.int().nullable(),
}) satisfies z.ZodType<WebhookDelivery>;

const DeliverySubjectSchema = z.object({ id: z.string(), type: z.string() }) satisfies z.ZodType<DeliverySubject>;

export const WebhookDeliveryDetailSchema = WebhookDeliverySchema.extend({
  nextAttemptAt: timestamp.nullable(),
  requestBody: json,
  requestHeaders: nullableHeaders,
  responseBody: z.string().nullable(),
  responseHeaders: nullableHeaders,
  subject: DeliverySubjectSchema.exactOptional(),
}) satisfies z.ZodType<WebhookDeliveryDetail>;
