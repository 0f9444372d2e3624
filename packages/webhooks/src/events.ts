import type { OtherThan } from './other-than.ts';

/**
 * An instant: ISO 8601 in UTC, for example `2026-03-01T09:30:00.000Z`. The service may send more or fewer fractional
 * digits of the second, and `+00:00` instead of `Z`.
 */
export type Timestamp = string;

/**
 * The resource that an event is about. The subject contains none of the resource's data: retrieve `url` to get the
 * data.
 */
export interface EventSubject {
  id: string;
  type: string;
  /**
   * A path such as `/v1/workspaces/wsp_…`, not an absolute URL. `svc.follow(event.subject)` of `@svc/client` retrieves
   * the resource.
   */
  url: string;
}

/** The subject of `lifecycle.evaluated`. */
export interface WorkspaceSubject extends EventSubject {
  id: `wsp_${string}`;
  type: 'workspace';
}

/** The fields of every event. */
export interface EventEnvelope {
  /**
   * The event's id, which is the same in all deliveries of the event. To detect duplicates, use the delivery's id
   * instead.
   */
  id: string;
  /** The time when the event happened, with millisecond precision. */
  created: Timestamp;
}

/** The fields of every event in the catalog. */
export interface KnownEnvelope extends EventEnvelope {
  id: `evt_${string}`;
}

/**
 * An evaluation cycle finished and computed the workspace's lifecycle states, signals and scores again. The event does
 * not name profiles.
 */
export interface LifecycleEvaluatedEvent extends KnownEnvelope {
  type: 'lifecycle.evaluated';
  subject: WorkspaceSubject;
}

/**
 * A webhook endpoint was disabled because 5 consecutive deliveries to it failed.
 *
 * The service document does not show the subject of this event. The reference server sends the endpoint as the subject:
 * the endpoint's id, the type `webhook_endpoint` and the endpoint's path.
 */
export interface EndpointAutoDisabledEvent extends KnownEnvelope {
  type: 'webhook.endpoint.auto_disabled';
  subject?: EventSubject;
}

/** A test event without a subject. The service sends this event on request, and to one endpoint only. */
export interface PingEvent extends KnownEnvelope {
  type: 'webhook.ping';
  subject?: never;
}

/** An event in the published catalog. The field `type` identifies the event in the catalog. */
export type KnownEvent = LifecycleEvaluatedEvent | EndpointAutoDisabledEvent | PingEvent;

/** A type in the published catalog. */
export type EventType = KnownEvent['type'];

declare global {
  // Programs add event types to this interface, as `AddedEvent` explains. Do not add a docstring: `@svc/client`
  // declares the same interface, and editors would show the docstrings of both declarations.
  interface SvcEventTypes {}
}

/**
 * An event of a type that you declare in the global interface `SvcEventTypes`. The interface contains the event types
 * that your own service adds, each with its subject. The interface is empty until you declare event types. One
 * declaration is enough for both `@svc/webhooks` and `@svc/client`.
 *
 * Editors then suggest the declared types as patterns, and comparing an event's `type` narrows the event. The subjects
 * are not checked at run time.
 *
 * {@includeCode ../test/documented/added-events.ts#added}
 */
export type AddedEvent = {
  [Type in keyof SvcEventTypes]: EventEnvelope & { type: Type; subject: SvcEventTypes[Type] };
}[keyof SvcEventTypes];

/**
 * An event whose type is neither in the event catalog of this package version nor declared by the program. You can
 * compare its `type` with almost any other string: see {@link OtherThan}.
 *
 * The type parameter `Listed` contains the types in the catalog and the types that you declare. Always use its default:
 * the parameter exists only because programs without events then compile faster.
 */
export interface UnknownEvent<Listed extends string = EventType | keyof SvcEventTypes> extends EventEnvelope {
  type: OtherThan<Listed>;
  subject?: EventSubject;
}

/** Any event that the service sends. Comparing `type` narrows the event's type. */
export type Event = KnownEvent | AddedEvent | UnknownEvent;

/**
 * An event whose TypeScript type does not connect `type` with a kind of subject, for example an event from a store, a
 * queue or another library.
 */
export interface UntypedEvent extends EventEnvelope {
  type: string;
  subject?: EventSubject | undefined;
}

/** The types in the published catalog. */
export const EVENT_TYPES: readonly string[] = [
  'lifecycle.evaluated',
  'webhook.endpoint.auto_disabled',
  'webhook.ping',
] satisfies EventType[];

/**
 * Whether the type of an event is in the catalog. The function does not check the id and the subject. To check them,
 * use the schemas in `@svc/webhooks/schemas`.
 *
 * {@includeCode ../test/documented/known-event.ts#known}
 */
export function isKnownEvent(event: UntypedEvent): event is KnownEvent {
  return EVENT_TYPES.includes(event.type);
}
