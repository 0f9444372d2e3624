import type { SubscribedEvent } from '../event-catalog.ts';
import type { WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A URL to which the service POSTs signed events.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface WebhookEndpoint {
  /** Id of the endpoint. */
  id: WebhookEndpointId;
  /** The workspace that owns the endpoint. */
  workspaceId: WorkspaceId;
  /** The absolute URL that receives the POSTs, exactly as the caller sent it. */
  url: string;
  /** A label of at most 500 characters. Null or absent if the endpoint has no label. */
  description?: string | null;
  /** Event types, or patterns such as `lifecycle.*`. */
  subscribedEvents: SubscribedEvent[];
  /** Whether the endpoint receives deliveries. An inactive endpoint stays in lists, but receives no deliveries. */
  active: boolean;
  /** Reserved for the version of the payload. Every endpoint receives the latest version. */
  apiVersion: string;
  /** When the endpoint was created. */
  createdAt: Timestamp;
  /** When the endpoint was last changed. */
  updatedAt: Timestamp;
}

/**
 * The new webhook endpoint.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface CreateWebhookEndpointBody {
  /** Absolute https URL, at most 2,048 characters, without user info or fragment. */
  url: string;
  /** 1 to 100 entries. Each entry is an event type in the catalog or a pattern such as `lifecycle.*`. */
  subscribedEvents: readonly SubscribedEvent[];
  /** A label of at most 500 characters. */
  description?: string | null | undefined;
  /** Reserved for the version of the payload. Every endpoint receives the latest version. */
  apiVersion?: string | undefined;
}

/**
 * The fields of the webhook endpoint to change. Omitted fields do not change.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface UpdateWebhookEndpointBody {
  /** Absolute https URL, at most 2,048 characters, without user info or fragment. */
  url?: string | undefined;
  /** 1 to 100 entries. Each entry is an event type in the catalog or a pattern such as `lifecycle.*`. */
  subscribedEvents?: readonly SubscribedEvent[] | undefined;
  /** A label of at most 500 characters. Null removes the label. */
  description?: string | null | undefined;
  /** Reserved for the version of the payload. Every endpoint receives the latest version. */
  apiVersion?: string | undefined;
  /** False stops new deliveries. True resumes deliveries and resets the count of consecutive failures. */
  active?: boolean | undefined;
}
