import type { EventId, EventType, OtherThan, Timestamp, WorkspaceSubject } from '@svc/contract';
import type { EventSubject } from './subjects.ts';

declare global {
  // Programs add event types to this interface, as `AddedEvent` explains. Do not add a docstring: `@svc/webhooks`
  // declares the same interface, and editors would show the docstrings of both declarations.
  interface SvcEventTypes {}
}

/**
 * The fields that all events have.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface EventEnvelope {
  id: EventId;
  /** The time when the event happened, with millisecond precision. */
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
 * The service document does not show the subject of this event. The reference server sends the endpoint as the subject:
 * the endpoint's id, the type `webhook_endpoint` and the endpoint's path.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface EndpointAutoDisabledEvent extends EventEnvelope {
  type: 'webhook.endpoint.auto_disabled';
  subject?: EventSubject;
}

/**
 * A test event. A test event has no subject.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface PingEvent extends EventEnvelope {
  type: 'webhook.ping';
  subject?: never;
}

/**
 * An event in the published catalog.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export type KnownEvent = LifecycleEvaluatedEvent | EndpointAutoDisabledEvent | PingEvent;

/**
 * An event of a type that you declare in the global interface `SvcEventTypes`. The interface contains the event types
 * that your own service adds, each with its subject. The interface is empty until you declare event types. One
 * declaration is enough for both `@svc/client` and `@svc/webhooks`:
 *
 * {@includeCode ../test/documented/events.ts#added}
 */
export type AddedEvent = {
  [Type in keyof SvcEventTypes]: EventEnvelope & { type: Type; subject: SvcEventTypes[Type] };
}[keyof SvcEventTypes];

/**
 * An event of a type that is neither in the catalog nor declared by you. You can compare its `type` with almost any
 * string: see {@link OtherThan}.
 *
 * Do not pass `Listed`. The only purpose of this type parameter is to make programs without events compile faster.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export interface UnknownEvent<Listed extends string = EventType | keyof SvcEventTypes> extends EventEnvelope {
  type: OtherThan<Listed>;
  subject?: EventSubject;
}

/**
 * An event, in the same form as in webhook requests. Comparing `type` narrows the event's type. Editors suggest the
 * types in the catalog and the types that you declare, but any other type also compiles.
 *
 * The subject names the resource that the event is about. `webhook.ping` has no subject. A subject contains no state:
 * pass the subject to `follow` to get the resource's current state.
 *
 * {@includeCode ../test/documented/events.ts#narrow}
 */
export type Event = KnownEvent | AddedEvent | UnknownEvent;
