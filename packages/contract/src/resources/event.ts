import type { EventType } from '../events.ts';
import type { EventId, WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Open, Timestamp } from '../open.ts';

/**
 * The envelope that is POSTed to receivers and read back through the events endpoints (service document, "Event").
 *
 * {@includeCode ../../../client/test/documented/testing.ts#wire}
 */
export interface Event {
  id: EventId;
  type: Open<EventType>;
  /** Millisecond precision. */
  created: Timestamp;
  /** What the event is about. Absent for `webhook.ping`. Never a snapshot: follow `url` for the current state. */
  subject?: EventSubject;
}

export type EventSubject = WorkspaceSubject | WebhookEndpointSubject | OtherSubject;

/**
 * Subject of `lifecycle.evaluated`.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WorkspaceSubject {
  id: WorkspaceId;
  type: 'workspace';
  /** The path of the workspace, for example `/v1/workspaces/wsp_…`. Not a whole URL. */
  url: string;
}

/**
 * Subject of `webhook.endpoint.auto_disabled`.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WebhookEndpointSubject {
  id: WebhookEndpointId;
  type: 'webhook_endpoint';
  /** The path of the endpoint, for example `/v1/webhooks/endpoints/whe_…`. Not a whole URL. */
  url: string;
}

/** Subject of an event type that was added later. */
export interface OtherSubject {
  id: string;
  type: string & {};
  /** The path of the resource. Not a whole URL. */
  url: string;
}

/** Query of the list (service document, "Events"). */
export interface ListEventsQuery {
  /** Exact match. */
  type?: Open<EventType> | undefined;
  subjectType?: string | undefined;
  subjectId?: string | undefined;
}
