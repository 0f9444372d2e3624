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
 * The parameter of `follow`: an event's subject. The event can come from this package, a webhook or storage.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export interface Followable {
  id: string;
  type: string;
  url: string;
}

/**
 * The type of `follow`'s result: the resource, or the whole response as JSON if this version does not know the
 * subject's type.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Followed<Subject extends Followable> = Subject extends { type: 'workspace' }
  ? Workspace
  : Subject extends { type: 'webhook_endpoint' }
    ? WebhookEndpoint
    : Record<string, unknown>;
