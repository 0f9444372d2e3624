import type { EventType } from '../event-catalog.ts';
import type { EventId, WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Open, Timestamp } from '../open.ts';

/**
 * The envelope of an event. Receivers get the envelope as the body of a POST. The operations on events also return the
 * envelope.
 *
 * {@includeCode ../../../client/test/documented/testing.ts#wire}
 */
export interface Event {
  /** The id of the event. All deliveries of the event have this id in the body. */
  id: EventId;
  /** The type of the event. A receiver must accept types that it does not know. */
  type: Open<EventType>;
  /** When the event happened, with millisecond precision. */
  created: Timestamp;
  /**
   * The resource that the event is about. Absent for `webhook.ping`. The subject contains none of the resource's data:
   * request `url` to get the data.
   */
  subject?: EventSubject;
}

/**
 * The resource that an event is about. An event type that the service adds after this version may have another kind of
 * subject.
 */
export type EventSubject = WorkspaceSubject | WebhookEndpointSubject | OtherSubject;

/**
 * The subject of `lifecycle.evaluated`.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WorkspaceSubject {
  /** Id of the workspace. */
  id: WorkspaceId;
  /** Always `workspace`. */
  type: 'workspace';
  /** The path of the workspace, for example `/v1/workspaces/wsp_…`. This is not an absolute URL. */
  url: string;
}

/**
 * The subject of `webhook.endpoint.auto_disabled` from the reference server. The service document does not show this
 * subject.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#subjects}
 */
export interface WebhookEndpointSubject {
  /** Id of the webhook endpoint. */
  id: WebhookEndpointId;
  /** Always `webhook_endpoint`. */
  type: 'webhook_endpoint';
  /** The path of the endpoint, for example `/v1/webhooks/endpoints/whe_…`. This is not an absolute URL. */
  url: string;
}

/** Any other subject, for example the subject of an event type that the service added after this version. */
export interface OtherSubject {
  /** Id of the resource. */
  id: string;
  /** Type of the resource. */
  type: string & {};
  /** The path of the resource. This is not an absolute URL. */
  url: string;
}

/** Query of the event list. */
export interface ListEventsQuery {
  /** Lists only events of exactly this type. */
  type?: Open<EventType> | undefined;
  /** Lists only events about resources of this type. */
  subjectType?: string | undefined;
  /** Lists only events about the resource with this id. */
  subjectId?: string | undefined;
}
