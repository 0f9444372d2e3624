import { type Event, type EventType, type KnownEvent, SUBJECTS, type UnknownEvent } from './events.ts';

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
 * Tells whether a handler of `pattern` gets the events that it covers. It gets exactly what its type says: an event that is not known
 * reaches `*`, and the patterns that cover nothing in the catalog.
 */
export function patternTakes(pattern: string, known: boolean): boolean {
  return known || pattern === '*' || !Object.keys(SUBJECTS).some((own) => covers(pattern, own));
}

/** Tells whether a pattern covers a type of event. */
export function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
