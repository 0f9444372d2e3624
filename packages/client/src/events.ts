import type { EventId, Timestamp, WebhookEndpointSubject, WorkspaceSubject } from '@svc/contract';
import type { EventSubject } from './subjects.ts';

/**
 * The event types that your own service adds, each with its subject. Empty until you declare them:
 *
 * {@includeCode ../test/documented/events.ts#added}
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add to it.
export interface AddedEvents {}

/**
 * The fields that all events have.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface EventEnvelope {
  id: EventId;
  /** Millisecond precision. */
  created: Timestamp;
}

/**
 * An evaluation cycle finished: the workspace's lifecycle states, signals and scores have been recomputed.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface LifecycleEvaluatedEvent extends EventEnvelope {
  type: 'lifecycle.evaluated';
  subject: WorkspaceSubject;
}

/**
 * A webhook endpoint was disabled because 5 consecutive deliveries to it failed.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface EndpointAutoDisabledEvent extends EventEnvelope {
  type: 'webhook.endpoint.auto_disabled';
  subject: WebhookEndpointSubject;
}

/**
 * A test event. It has no subject.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface PingEvent extends EventEnvelope {
  type: 'webhook.ping';
  subject?: never;
}

/**
 * An event of the published catalog (service document, "Event types").
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export type KnownEvent = LifecycleEvaluatedEvent | EndpointAutoDisabledEvent | PingEvent;

/**
 * An event of a type that you declare in {@link AddedEvents}.
 *
 * {@includeCode ../test/documented/events.ts#added}
 */
export type AddedEvent = {
  [Type in keyof AddedEvents]: EventEnvelope & { type: Type; subject: AddedEvents[Type] };
}[keyof AddedEvents];

/**
 * Stands for every event type that is neither in the catalog nor declared. No real type starts like this. It lets TypeScript
 * narrow an event when you compare its `type` with a known one. To compare it with any other text, widen it to `string`
 * first.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export type Unlisted = `(unlisted) ${string}`;

/**
 * An event of a type that this version does not know.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface UnknownEvent extends EventEnvelope {
  type: Unlisted;
  subject?: EventSubject;
}

/**
 * An event, in the form that webhooks also receive (service document, "Event"). Comparing `type` narrows it.
 *
 * The subject is what the event is about. `webhook.ping` has none. It is never a snapshot: follow it to get the current
 * state.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export type Event = KnownEvent | AddedEvent | UnknownEvent;
