import type { SubscribedEvent } from '../events.ts';
import type { WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A receiver of signed event POSTs.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface WebhookEndpoint {
  /** Id of the endpoint. */
  id: WebhookEndpointId;
  /** The workspace that owns it. */
  workspaceId: WorkspaceId;
  /** Absolute URL that receives the POSTs, as given. */
  url: string;
  /** Label of at most 500 characters. Null or absent if there is none. */
  description?: string | null;
  /** Event types, or patterns such as `lifecycle.*`. */
  subscribedEvents: SubscribedEvent[];
  /** Whether it receives deliveries. An inactive endpoint stays in lists but receives nothing. */
  active: boolean;
  /** Reserved for the version of the payload. Every endpoint receives the latest one. */
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
  /** Absolute https URL, at most 2,048 characters, without user info and fragment. */
  url: string;
  /** 1 to 100 entries. Each is an event type of the catalog or a pattern such as `lifecycle.*`. */
  subscribedEvents: readonly SubscribedEvent[];
  /** A label of at most 500 characters. */
  description?: string | null | undefined;
  /** Reserved for the version of the payload. Every endpoint receives the latest one. */
  apiVersion?: string | undefined;
}

/**
 * The fields of the webhook endpoint to change. Omitted fields do not change.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface UpdateWebhookEndpointBody {
  /** Absolute https URL, at most 2,048 characters, without user info and fragment. */
  url?: string | undefined;
  /** 1 to 100 entries. Each is an event type of the catalog or a pattern such as `lifecycle.*`. */
  subscribedEvents?: readonly SubscribedEvent[] | undefined;
  /** A label of at most 500 characters. Null clears it. */
  description?: string | null | undefined;
  /** Reserved for the version of the payload. Every endpoint receives the latest one. */
  apiVersion?: string | undefined;
  /** False stops new deliveries. True resumes them and resets the count of consecutive failures. */
  active?: boolean | undefined;
}
