import type { WebhookEndpoint, WebhookEndpointSubject, Workspace, WorkspaceSubject } from '@svc/contract';

/**
 * A type of subject that is none of those listed beside it.
 *
 * For the compiler alone: no value begins like that. A plain `string` would keep `===` from narrowing the union; this
 * one is a string that no listed type fits. To compare with a type that your service adds, widen it to `string`.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Unlisted = `(unlisted) ${string}`;

/**
 * Subject of an event type that was added later.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export interface OtherSubject {
  id: string;
  type: Unlisted;
  /** Path of the resource's retrieve endpoint. */
  url: string;
}

/**
 * What an event is about; its `type` tells which (service document, "Event types").
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type EventSubject = WorkspaceSubject | WebhookEndpointSubject | OtherSubject;

/**
 * What `follow` takes: the subject of any event, from this package, from a webhook or from storage.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export interface Followable {
  id: string;
  type: string;
  url: string;
}

/**
 * What `follow` gives for a subject: the resource of its type, or the whole answer as JSON where the type is not known here.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Followed<Subject extends Followable> = Subject extends { type: 'workspace' }
  ? Workspace
  : Subject extends { type: 'webhook_endpoint' }
    ? WebhookEndpoint
    : Record<string, unknown>;
