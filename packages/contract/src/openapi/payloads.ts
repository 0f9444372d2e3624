import * as z from 'zod';
import { EVENT_CATALOG, type EventType } from '../event-catalog.ts';
import { EventSchema } from '../schemas/event.ts';
import { mayBeAbsent } from '../schemas/primitives.ts';
import { type Description, typeDescriptions } from './descriptions.ts';
import { signedRequests } from './examples/deliveries.ts';
import { subjectSchemas } from './subjects.ts';

const { EventSubject, WorkspaceSubject } = subjectSchemas;

export const PAYLOAD_NAMES = {
  'lifecycle.evaluated': 'LifecycleEvaluatedEvent',
  'webhook.endpoint.auto_disabled': 'EndpointAutoDisabledEvent',
  'webhook.ping': 'PingEvent',
} as const satisfies Record<EventType, string>;

type PayloadName = (typeof PAYLOAD_NAMES)[EventType];

/** The schemas of the payloads, keyed by payload name. */
export const payloadSchemas = {
  LifecycleEvaluatedEvent: EventSchema.extend({
    type: z.literal('lifecycle.evaluated'),
    subject: WorkspaceSubject,
  }),
  EndpointAutoDisabledEvent: EventSchema.extend({
    type: z.literal('webhook.endpoint.auto_disabled'),
    // The service document does not show this subject, so another implementation may send another subject, or no
    // subject.
    subject: mayBeAbsent(EventSubject),
  }),
  PingEvent: EventSchema.omit({ subject: true }).extend({ type: z.literal('webhook.ping') }),
} satisfies Record<PayloadName, z.ZodType>;

const SUBJECTS: Readonly<Record<EventType, string>> = {
  'lifecycle.evaluated':
    "The workspace. The subject contains no data of the workspace: request `url` to get the workspace's current state.",
  'webhook.endpoint.auto_disabled':
    'The disabled endpoint. The service document does not show this subject, so another implementation may send another subject, or no subject.',
  'webhook.ping': '',
};

const byName = <Value>(of: (type: EventType, about: string) => Value) =>
  Object.fromEntries(
    EVENT_CATALOG.map(({ type, description }) => [PAYLOAD_NAMES[type], of(type, description)]),
  ) as Record<PayloadName, Value>;

export const payloads = {
  descriptions: byName<Description>((type, about) => ({
    about,
    fields: { ...typeDescriptions.Event.fields, type: `Always \`${type}\`.`, subject: SUBJECTS[type] },
  })),
  samples: byName((type) => [signedRequests[type].payload as never]),
};
