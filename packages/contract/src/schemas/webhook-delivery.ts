import * as z from 'zod';
import { EVENT_CATALOG, type EventType } from '../event-catalog.ts';
import {
  DELIVERY_STATUSES,
  type DeliverySubject,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '../resources/webhook-delivery.ts';
import { absentOrNull, id, json, mayBeAbsent, opaque, open, timestamp, tolerant } from './primitives.ts';

/** The type of an event: any string, because a seed file may add types. */
export const eventType = open(EVENT_CATALOG.map((item) => item.type) as [EventType], z.string());

const headers = z.record(z.string(), z.string());

export const WebhookDeliverySchema = z.object({
  id: id('webhookDelivery'),
  workspaceId: id('workspace'),
  endpointId: id('webhookEndpoint'),
  // The service document promises a synthetic id for pings and replays, but it does not show the form of this id.
  eventId: tolerant(opaque, id('event')),
  eventType,
  status: open(DELIVERY_STATUSES),
  attempt: z.int().min(0),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
  error: z.string().nullable(),
  responseStatus: z.int().nullable(),
  responseTimeMs: z.int().nullable(),
}) satisfies z.ZodType<WebhookDelivery>;

export const DeliverySubjectSchema = z.object({
  id: z.string(),
  type: z.string(),
}) satisfies z.ZodType<DeliverySubject>;

export const WebhookDeliveryDetailSchema = WebhookDeliverySchema.extend({
  nextAttemptAt: absentOrNull(timestamp),
  requestBody: tolerant(mayBeAbsent(json), json),
  requestHeaders: absentOrNull(headers),
  responseBody: absentOrNull(z.string()),
  responseHeaders: absentOrNull(headers),
  subject: mayBeAbsent(DeliverySubjectSchema),
}) satisfies z.ZodType<WebhookDeliveryDetail>;
