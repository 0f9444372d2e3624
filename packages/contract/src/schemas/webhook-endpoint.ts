import * as z from 'zod';
import { ENDPOINT_DESCRIPTION_MAX_LENGTH, ENDPOINT_URL_MAX_LENGTH, SUBSCRIBED_EVENTS_COUNT } from '../limits.ts';
import type {
  CreateWebhookEndpointBody,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
} from '../resources/webhook-endpoint.ts';
import { absentOrNull, id, isAbsoluteHttpUrl, line, timestamp } from './primitives.ts';

export const WebhookEndpointSchema = z.object({
  id: id('webhookEndpoint'),
  workspaceId: id('workspace'),
  url: z.string(),
  description: absentOrNull(z.string()),
  subscribedEvents: z.array(z.string()),
  active: z.boolean(),
  apiVersion: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
}) satisfies z.ZodType<WebhookEndpoint>;

/**
 * The schema of an endpoint's URL. The server's settings decide whether http and the host are allowed, so the schema
 * accepts http and any host.
 */
const url = z
  .string()
  .max(ENDPOINT_URL_MAX_LENGTH)
  .superRefine((value, context) => {
    const problem = urlProblem(value);
    if (problem) context.addIssue(problem);
  })
  .meta({ format: 'uri' });

const subscribedEvents = z.array(z.string().max(200)).min(SUBSCRIBED_EVENTS_COUNT.min).max(SUBSCRIBED_EVENTS_COUNT.max);
const description = line(0, ENDPOINT_DESCRIPTION_MAX_LENGTH).nullable().optional();
const apiVersion = line(1, 64).optional();

export const CreateWebhookEndpointBodySchema = z.object({
  url,
  subscribedEvents,
  description,
  apiVersion,
}) satisfies z.ZodType<CreateWebhookEndpointBody>;

export const UpdateWebhookEndpointBodySchema = z.object({
  url: url.optional(),
  subscribedEvents: subscribedEvents.optional(),
  description,
  apiVersion,
  active: z.boolean().optional(),
}) satisfies z.ZodType<UpdateWebhookEndpointBody>;

function urlProblem(value: string): string | undefined {
  if (!isAbsoluteHttpUrl(value)) return 'must be an absolute https URL, without white space or backslashes';
  const parsed = new URL(value);
  // The URL parser drops an empty user info together with its `@`, so look for the `@` in the string.
  if (parsed.username || parsed.password || /^https?:\/\/[^/?#]*@/i.test(value)) return 'must not contain user info';
  if (parsed.port === '0') return 'must not have the port 0';
  if (value.includes('#')) return 'must not contain a fragment';
  return undefined;
}
