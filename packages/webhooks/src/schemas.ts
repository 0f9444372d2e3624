// `zod/v4` is version 4 in both zod 3.25 and zod 4.
import * as z from 'zod/v4';
import type {
  EndpointAutoDisabledEvent,
  Event,
  EventSubject,
  KnownEvent,
  LifecycleEvaluatedEvent,
  PingEvent,
  UnknownEvent,
  WorkspaceSubject,
} from './events.ts';

const startsWith = <Prefix extends string>(prefix: Prefix) => z.templateLiteral([prefix, z.string().min(1)]);

/**
 * A field that may be absent. JSON has no `undefined`, so the type does not allow `undefined` either. zod's own
 * `exactOptional` has this effect, but requires zod 4.3.
 */
const absentOr = <Value>(schema: z.ZodType<Value>) =>
  schema.optional() as unknown as z.ZodOptional<z.ZodType<Value>> & { _zod: { output: Value; input: Value } };

/** The service document requires ISO 8601 in UTC, but does not limit the number of fractional digits. */
const IN_UTC = /(?:Z|\+00:00)$/;
const timestamp = z.iso
  .datetime({ offset: true })
  .refine((value) => IN_UTC.test(value), 'must be in UTC: it must end with Z or +00:00');

const envelope = { id: startsWith('evt_'), created: timestamp };

/** The subject of `lifecycle.evaluated`. */
export const workspaceSubjectSchema: z.ZodType<WorkspaceSubject> = z.looseObject({
  id: startsWith('wsp_'),
  type: z.literal('workspace'),
  url: z.string(),
});

/** The subject of any event. */
export const eventSubjectSchema: z.ZodType<EventSubject> = z.looseObject({
  id: z.string(),
  type: z.string(),
  url: z.string(),
});

/** The schema of {@link LifecycleEvaluatedEvent}. */
export const lifecycleEvaluatedEventSchema: z.ZodType<LifecycleEvaluatedEvent> = z.looseObject({
  ...envelope,
  type: z.literal('lifecycle.evaluated'),
  subject: workspaceSubjectSchema,
});

/** The schema of {@link EndpointAutoDisabledEvent}. */
export const endpointAutoDisabledEventSchema: z.ZodType<EndpointAutoDisabledEvent> = z.looseObject({
  ...envelope,
  type: z.literal('webhook.endpoint.auto_disabled'),
  subject: absentOr(eventSubjectSchema),
});

/** The schema of {@link PingEvent}. */
export const pingEventSchema: z.ZodType<PingEvent> = z.looseObject({
  ...envelope,
  type: z.literal('webhook.ping'),
  subject: absentOr(z.never()),
});

/** The schema of {@link UnknownEvent}: any envelope. */
export const unknownEventSchema: z.ZodType<UnknownEvent> = z.looseObject({
  id: z.string(),
  created: z.string(),
  // The TypeScript type excludes the known event types, but this schema accepts any string.
  type: z.string() as unknown as z.ZodType<UnknownEvent['type']>,
  subject: absentOr(eventSubjectSchema),
});

/** The schema of {@link KnownEvent}: every event in the catalog. */
export const knownEventSchema: z.ZodType<KnownEvent> = z.union([
  lifecycleEvaluatedEventSchema,
  endpointAutoDisabledEventSchema,
  pingEventSchema,
]);

/** The schema of {@link Event}: every event that the service sends. Unknown fields are kept. */
export const eventSchema: z.ZodType<Event> = z.union([knownEventSchema, unknownEventSchema]);
