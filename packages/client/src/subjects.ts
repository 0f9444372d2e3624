import type { WebhookEndpoint, WebhookEndpointSubject, Workspace, WorkspaceSubject } from '@svc/contract';
import type { AddedEvents } from './events.ts';

// biome-ignore format: the alphabet is easier to check in three lines.
type Letter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'
  | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '_' | '-' | '.';

/**
 * A type of subject that your own service adds.
 *
 * With a plain `string`, `type === 'workspace'` would not narrow the union, because TypeScript has no type for "any other
 * string". This type is any word that differs from `workspace` and `webhook_endpoint` in its first two letters. Declare a
 * type that starts with `wo` or `we` in {@link AddedEvents}.
 *
 * {@includeCode ../test/documented/events.ts#subject}
 */
export type OtherSubjectType = `${Exclude<Letter, 'w'>}${string}` | `w${Exclude<Letter, 'e' | 'o'>}${string}`;

/**
 * Subject of an event that this version does not know.
 *
 * {@includeCode ../test/documented/events.ts#subject}
 */
export interface OtherSubject {
  id: string;
  type: OtherSubjectType;
  /** Path of the resource's retrieve endpoint. */
  url: string;
}

/**
 * What an event is about. Its `type` names the kind of resource (service document, "Event types").
 *
 * {@includeCode ../test/documented/events.ts#subject}
 */
export type EventSubject = WorkspaceSubject | WebhookEndpointSubject | OtherSubject | AddedEvents[keyof AddedEvents];

/**
 * The parameter of `follow`: the subject of any event, from this package, a webhook or storage.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export interface Followable {
  id: string;
  type: string;
  url: string;
}

/**
 * What `follow` returns for a subject: the resource of its type, or the whole answer as JSON if this version does not
 * know the type.
 *
 * {@includeCode ../test/documented/resources.ts#follow}
 */
export type Followed<Subject extends Followable> = Subject extends { type: 'workspace' }
  ? Workspace
  : Subject extends { type: 'webhook_endpoint' }
    ? WebhookEndpoint
    : Record<string, unknown>;
