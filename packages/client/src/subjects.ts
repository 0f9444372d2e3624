import type { OtherThan, WebhookEndpoint, WebhookEndpointSubject, Workspace, WorkspaceSubject } from '@svc/contract';

/** The subject types that this version of the package knows, and those that the program declares. */
type ListedSubjectType = 'workspace' | 'webhook_endpoint' | TypeOf<SvcEventTypes[keyof SvcEventTypes]>;

type TypeOf<Subject> = Subject extends { type: infer Type extends string } ? Type : never;

/**
 * A subject of a type that neither this package nor the program lists. You can compare its `type` with almost any
 * unlisted string: see {@link OtherThan}.
 *
 * {@includeCode ../test/documented/events.ts#subject}
 */
export interface OtherSubject<Listed extends string = ListedSubjectType> {
  id: string;
  type: OtherThan<Listed>;
  /** The path of the operation that retrieves the resource. */
  url: string;
}

/**
 * The resource that an event is about. `type` names the kind of resource.
 *
 * {@includeCode ../test/documented/events.ts#subject}
 */
export type EventSubject =
  | WorkspaceSubject
  | WebhookEndpointSubject
  | OtherSubject
  | SvcEventTypes[keyof SvcEventTypes];

/**
 * The parameter of `follow`: the subject of an event from this package, from a webhook or from storage.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export interface Followable {
  id: string;
  type: string;
  url: string;
}

/**
 * The type of the value that `follow` returns for a subject: the resource of the subject's type, or the whole response
 * as JSON if this version does not know the type.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Followed<Subject extends Followable> = Subject extends { type: 'workspace' }
  ? Workspace
  : Subject extends { type: 'webhook_endpoint' }
    ? WebhookEndpoint
    : Record<string, unknown>;
