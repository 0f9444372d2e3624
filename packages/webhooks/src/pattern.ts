import { type Event, type EventType, type KnownEvent, SUBJECT_TYPES, type UnknownEvent } from './events.ts';

/** The globs `<prefix>.*` that cover something in the catalog. */
export type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/** An event type, a glob `<prefix>.*` over the catalog, or `*`. A type that this version does not know may be named too. */
export type EventPattern = '*' | EventType | PrefixGlob<EventType> | (string & {});

/** The events that a handler of `Pattern` gets. */
export type EventOf<Pattern extends string> = string extends Pattern
  ? Event
  : Pattern extends '*'
    ? Event
    : Pattern extends EventType
      ? Extract<KnownEvent, { type: Pattern }>
      : Pattern extends PrefixGlob<EventType>
        ? Extract<KnownEvent, { type: Pattern extends `${infer Prefix}*` ? `${Prefix}${string}` : never }>
        : UnknownEvent;

/**
 * Tells whether a handler of `pattern` gets an event. It gets exactly what its type says: an event that is not known reaches `*`,
 * and the patterns that cover nothing in the catalog.
 */
export function patternTakes(pattern: string, type: string, known: boolean): boolean {
  return (
    covers(pattern, type) &&
    (known || pattern === '*' || !Object.keys(SUBJECT_TYPES).some((own) => covers(pattern, own)))
  );
}

function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
