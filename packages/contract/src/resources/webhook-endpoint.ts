import type { WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A receiver of signed event POSTs (service document, "Webhook endpoint").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface WebhookEndpoint {
  id: WebhookEndpointId;
  workspaceId: WorkspaceId;
  /** Absolute URL that receives the POSTs, as it was given. */
  url: string;
  /** Label, at most 500 characters; null where there is none. */
  description: string | null;
  /** Event types, or globs such as `lifecycle.*`. */
  subscribedEvents: string[];
  /** Whether it receives deliveries; an inactive endpoint stays listed and is skipped. */
  active: boolean;
  /** Pinned payload version; reserved. */
  apiVersion: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/**
 * Body of POST (service document, "Create body").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface CreateWebhookEndpointBody {
  /** Absolute https URL, at most 2,048 characters, without user info and fragment. */
  url: string;
  /** 1 to 100 entries; each an event type of the catalog or a glob. */
  subscribedEvents: readonly string[];
  /** At most 500 characters. */
  description?: string | null | undefined;
  /** Reserved. */
  apiVersion?: string | undefined;
}

/**
 * Body of PATCH; a field left out stays as it is (service document, "Update body").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#endpoint}
 */
export interface UpdateWebhookEndpointBody {
  /** Absolute https URL, at most 2,048 characters, without user info and fragment. */
  url?: string | undefined;
  /** 1 to 100 entries; each an event type of the catalog or a glob. */
  subscribedEvents?: readonly string[] | undefined;
  /** At most 500 characters; null clears it. */
  description?: string | null | undefined;
  /** Reserved. */
  apiVersion?: string | undefined;
  /** False pauses new deliveries; true resumes them and resets the count of consecutive failures. */
  active?: boolean | undefined;
}
