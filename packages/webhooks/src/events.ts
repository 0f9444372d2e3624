/** An instant: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
export type Timestamp = string;

/** What an event is about. It is never a snapshot. Retrieve `url` for the current state. */
export interface EventSubject {
  id: string;
  type: string;
  /** A path such as `/v1/workspaces/wsp_…`, not a whole URL. `svc.follow(event.subject)` of `@svc/client` retrieves it. */
  url: string;
}

/** Subject of `lifecycle.evaluated`. */
export interface WorkspaceSubject extends EventSubject {
  id: `wsp_${string}`;
  type: 'workspace';
}

/** Subject of `webhook.endpoint.auto_disabled`. */
export interface WebhookEndpointSubject extends EventSubject {
  id: `whe_${string}`;
  type: 'webhook_endpoint';
}

/** The fields of every event. */
export interface EventEnvelope {
  /** The event's id. Every delivery of the event has the same. To deduplicate, use the delivery's id. */
  id: string;
  /** When the event happened, to the millisecond. */
  created: Timestamp;
}

/** The fields of every event in the catalog. */
export interface KnownEnvelope extends EventEnvelope {
  id: `evt_${string}`;
}

/** An evaluation cycle finished and computed the workspace's lifecycle states, signals and scores again. It does not name profiles. */
export interface LifecycleEvaluatedEvent extends KnownEnvelope {
  type: 'lifecycle.evaluated';
  subject: WorkspaceSubject;
}

/** A webhook endpoint was disabled because 5 consecutive deliveries to it failed. */
export interface EndpointAutoDisabledEvent extends KnownEnvelope {
  type: 'webhook.endpoint.auto_disabled';
  subject: WebhookEndpointSubject;
}

/** A test event, sent on request to one endpoint. It has no subject. */
export interface PingEvent extends KnownEnvelope {
  type: 'webhook.ping';
  subject?: never;
}

/** The events of the published catalog. `type` distinguishes them (service document, "Event types"). */
export type KnownEvent = LifecycleEvaluatedEvent | EndpointAutoDisabledEvent | PingEvent;

/** A type of the published catalog. */
export type EventType = KnownEvent['type'];

/**
 * The event types that your own service adds, each with its subject. Empty until you declare them.
 *
 * The compiler then accepts them as patterns and narrows their events. Nothing checks their subjects at run time.
 *
 * {@includeCode ../test/documented/added-events.ts#added}
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add to it.
export interface AddedEvents {}

/** An event of a type that you declare in {@link AddedEvents}. */
export type AddedEvent = {
  [Type in keyof AddedEvents]: EventEnvelope & { type: Type; subject: AddedEvents[Type] };
}[keyof AddedEvents];

/**
 * Stands for every event type that is neither in the catalog nor declared. No real type begins like this. Because of it,
 * comparing `type` with a known type narrows the event. To compare `type` with any text, widen it to `string` first.
 */
export type Unlisted = `(unlisted) ${string}`;

/** An event that this version does not know. Its type is newer, or its id or subject differs from the catalog. */
export interface UnknownEvent extends EventEnvelope {
  type: Unlisted;
  subject?: EventSubject;
}

/** Any event that the service sends. Comparing `type` narrows it. {@link isKnownEvent} also checks its id and subject. */
export type Event = KnownEvent | AddedEvent | UnknownEvent;

/** An event whose TypeScript type does not relate `type` to `subject`, for example from a store, a queue or another library. */
export interface UntypedEvent extends EventEnvelope {
  type: string;
  subject?: EventSubject | undefined;
}

/** For each type, the kind of its subject and the prefix of the subject's id. */
export const SUBJECTS: { [Type in EventType]: readonly [kind?: string, idPrefix?: string] } = {
  'lifecycle.evaluated': ['workspace', 'wsp_'],
  'webhook.endpoint.auto_disabled': ['webhook_endpoint', 'whe_'],
  'webhook.ping': [],
};

/**
 * Whether an event is in the catalog and has the id and the subject that its type promises.
 *
 * {@includeCode ../test/documented/known-event.ts#known}
 */
export function isKnownEvent(event: UntypedEvent): event is KnownEvent {
  const { id, type, subject } = event;
  // Not `in`, because a type may be named `constructor`. For an unknown type, no subject has the kind null.
  const [kind, idPrefix = ''] = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type as EventType] : [null];
  return subject?.type === kind && `${subject?.id}`.startsWith(idPrefix) && id.startsWith('evt_');
}
