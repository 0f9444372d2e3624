import type { Open } from './open.ts';
import type { EventTypeItem } from './resources/event-type.ts';

/** The published event types, sorted by type. `openapi/payloads.ts` describes the payload of each type. */
export const EVENT_CATALOG = [
  {
    type: 'lifecycle.evaluated',
    category: 'Lifecycle',
    description:
      "An evaluation cycle finished: the workspace's lifecycle states, signals and scores are recomputed. The event does not list the profiles that changed.",
  },
  {
    type: 'webhook.endpoint.auto_disabled',
    category: 'Webhooks',
    description: 'A webhook endpoint was disabled because 5 consecutive deliveries to it failed.',
  },
  {
    type: 'webhook.ping',
    category: 'Webhooks',
    description: 'A test event without a subject, which is sent on request to one endpoint.',
  },
] as const satisfies readonly EventTypeItem[];

/**
 * The type of a published event.
 *
 * {@includeCode ../../client/test/documented/values.ts#open}
 */
export type EventType = (typeof EVENT_CATALOG)[number]['type'];

/** The globs `<prefix>.*` that cover an event type. */
type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/**
 * A subscription of an endpoint: an event type, or a glob `<prefix>.*`. Editors suggest the types in the catalog and
 * their globs. The reference server also accepts `*`, which the service document does not show.
 *
 * {@includeCode ../../client/test/documented/resources.ts#endpoints}
 */
export type SubscribedEvent = Open<EventType | PrefixGlob<EventType>>;

/** The only version of the payload. The field `apiVersion` lets the service add versions later. */
export const LATEST_API_VERSION = 'latest';

/**
 * Whether `pattern` covers `type`. A pattern is an exact event type, `<prefix>.*` or `*`. This project decided to
 * accept `*`.
 */
export function matchesEventPattern(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
