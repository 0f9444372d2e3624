import type { EventType } from '../events.ts';
import type { EventId, WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Open, Timestamp } from '../open.ts';

/**
 * The envelope that is POSTed to receivers and read back through the events endpoints.
 *
 * {@includeCode ../../../client/test/documented/testing.ts#wire}
 */
export interface Event {
  /** Id of the event. All deliveries of the event carry this id in the body. */
  id: EventId;
  /** Type of the event. A receiver must accept types that it does not know. */
  type: Open<EventType>;
  /** When the event happened, to the millisecond. */
  created: Timestamp;
  /** What the event is about. Absent for `webhook.ping`. It contains no state: request `url` for the current state. */
  subject?: EventSubject;
}

/** What an event is about. An event type that was added later may have another subject. */
export type EventSubject = WorkspaceSubject | WebhookEndpointSubject | OtherSubject;

/**
 * Subject of `lifecycle.evaluated`.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WorkspaceSubject {
  /** Id of the workspace. */
  id: WorkspaceId;
  /** Always `workspace`. */
  type: 'workspace';
  /** The path of the workspace, for example `/v1/workspaces/wsp_…`. Not a whole URL. */
  url: string;
}

/**
 * Subject of `webhook.endpoint.auto_disabled` from the reference server. The service document does not show it.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WebhookEndpointSubject {
  /** Id of the webhook endpoint. */
  id: WebhookEndpointId;
  /** Always `webhook_endpoint`. */
  type: 'webhook_endpoint';
  /** The path of the endpoint, for example `/v1/webhooks/endpoints/whe_…`. Not a whole URL. */
  url: string;
}

/** Subject of an event type that was added later. */
export interface OtherSubject {
  /** Id of the resource. */
  id: string;
  /** Type of the resource. */
  type: string & {};
  /** The path of the resource. Not a whole URL. */
  url: string;
}

/** Query of the list. */
export interface ListEventsQuery {
  /** Only events of this type. Exact match. */
  type?: Open<EventType> | undefined;
  /** Only events about a resource of this type. */
  subjectType?: string | undefined;
  /** Only events about this resource. */
  subjectId?: string | undefined;
}
