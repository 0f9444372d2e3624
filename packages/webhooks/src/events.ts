/** An instant: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
export type Timestamp = string;

/** What an event is about. Never a snapshot: retrieve `url` for the current state. */
export interface EventSubject {
  id: string;
  type: string;
  /** Path of the resource's retrieve endpoint, for example `/v1/workspaces/wsp_…`. */
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

/** What all events have. */
export interface EventEnvelope {
  /** Of the event, and the same in every delivery of it. The dedupe key is the delivery's id. */
  id: string;
  /** When it happened, to the millisecond. */
  created: Timestamp;
}

/** What all events of the catalog have. */
export interface KnownEnvelope extends EventEnvelope {
  id: `evt_${string}`;
}

/** An evaluation cycle finished: the workspace's lifecycle states, signals and scores are recomputed. It does not say for which profiles. */
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

/** The events of the published catalog, told apart by `type` (service document, "Event types"). */
export type KnownEvent = LifecycleEvaluatedEvent | EndpointAutoDisabledEvent | PingEvent;

/** A type of the published catalog. */
export type EventType = KnownEvent['type'];

/** An event that this version does not know: its type is newer, or its id or its subject is of another kind than the catalog says. */
export interface UnknownEvent extends EventEnvelope {
  type: string & {};
  subject?: EventSubject;
}

/** Whatever the service sends. */
export type Event = KnownEvent | UnknownEvent;

/** The kind of subject that goes with each type, and what its id begins with. */
export const SUBJECTS: { [Type in EventType]: readonly [kind?: string, idPrefix?: string] } = {
  'lifecycle.evaluated': ['workspace', 'wsp_'],
  'webhook.endpoint.auto_disabled': ['webhook_endpoint', 'whe_'],
  'webhook.ping': [],
};

/** Tells whether an event is of the catalog: whether all holds that its type promises, ids and subject included. */
export function isKnownEvent({ id, type, subject }: Event): boolean {
  if (!Object.hasOwn(SUBJECTS, type) || !id.startsWith('evt_')) return false;
  const [kind, idPrefix = ''] = SUBJECTS[type as EventType];
  return subject?.type === kind && `${subject?.id}`.startsWith(idPrefix);
}
