import * as z from 'zod';
import type {
  EndpointAutoDisabledEvent,
  Event,
  EventSubject,
  KnownEvent,
  LifecycleEvaluatedEvent,
  PingEvent,
  UnknownEvent,
  Unlisted,
  WebhookEndpointSubject,
  WorkspaceSubject,
} from './events.ts';

const startsWith = <Prefix extends string>(prefix: Prefix) => z.templateLiteral([prefix, z.string()]);
const envelope = { id: startsWith('evt_'), created: z.iso.datetime() };

/** Subject of `lifecycle.evaluated`. */
export const workspaceSubjectSchema: z.ZodType<WorkspaceSubject> = z.looseObject({
  id: startsWith('wsp_'),
  type: z.literal('workspace'),
  url: z.string(),
});

/** Subject of `webhook.endpoint.auto_disabled`. */
export const webhookEndpointSubjectSchema: z.ZodType<WebhookEndpointSubject> = z.looseObject({
  id: startsWith('whe_'),
  type: z.literal('webhook_endpoint'),
  url: z.string(),
});

/** Subject of an event that this version does not know. */
export const eventSubjectSchema: z.ZodType<EventSubject> = z.looseObject({
  id: z.string(),
  type: z.string(),
  url: z.string(),
});

/** Schema of {@link LifecycleEvaluatedEvent}. */
export const lifecycleEvaluatedEventSchema: z.ZodType<LifecycleEvaluatedEvent> = z.looseObject({
  ...envelope,
  type: z.literal('lifecycle.evaluated'),
  subject: workspaceSubjectSchema,
});

/** Schema of {@link EndpointAutoDisabledEvent}. */
export const endpointAutoDisabledEventSchema: z.ZodType<EndpointAutoDisabledEvent> = z.looseObject({
  ...envelope,
  type: z.literal('webhook.endpoint.auto_disabled'),
  subject: webhookEndpointSubjectSchema,
});

/** Schema of {@link PingEvent}. */
export const pingEventSchema: z.ZodType<PingEvent> = z.looseObject({
  ...envelope,
  type: z.literal('webhook.ping'),
  subject: z.never().exactOptional(),
});

/** Schema of {@link UnknownEvent}: any envelope. */
export const unknownEventSchema: z.ZodType<UnknownEvent> = z.looseObject({
  id: z.string(),
  created: z.string(),
  // Only the types can say which texts these are. A schema cannot.
  type: z.string() as unknown as z.ZodType<Unlisted>,
  subject: eventSubjectSchema.exactOptional(),
});

/** Schema of {@link KnownEvent}: every event of the catalog. */
export const knownEventSchema: z.ZodType<KnownEvent> = z.union([
  lifecycleEvaluatedEventSchema,
  endpointAutoDisabledEventSchema,
  pingEventSchema,
]);

/** Schema of {@link Event}: every event that the service sends. Unknown fields are kept. */
export const eventSchema: z.ZodType<Event> = z.union([knownEventSchema, unknownEventSchema]);
