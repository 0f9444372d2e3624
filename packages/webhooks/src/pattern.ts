import {
  type AddedEvents,
  type Event,
  type EventType,
  type KnownEvent,
  SUBJECTS,
  type UnknownEvent,
} from './events.ts';

/** The globs `<prefix>.*` that cover something in the catalog. */
export type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/** `*`, a type of the catalog or of {@link AddedEvents}, or a glob `<prefix>.*` over them. */
export type EventPattern = '*' | ListedType | PrefixGlob<ListedType>;

type ListedType = EventType | keyof AddedEvents;

/** The patterns in what `on` takes: one, or an array of them. */
export type PatternIn<Given extends string | readonly string[]> = Given extends readonly string[]
  ? Given[number]
  : Given & string;

/**
 * A pattern, or an array of them, as a parameter takes it: any text whose value is not known when it is compiled, else
 * only what an event can match.
 */
export type PatternParameter<Given extends string | readonly string[]> =
  string extends PatternIn<Given>
    ? Given
    : [PatternIn<Given>] extends [EventPattern]
      ? Given
      : EventPattern | readonly EventPattern[];

/** The events that a handler of `Pattern` gets. */
export type EventOf<Pattern extends string> = string extends Pattern
  ? Event
  : Pattern extends '*'
    ? Event
    : Pattern extends ListedType
      ? Extract<Event, { type: Pattern }>
      : Pattern extends PrefixGlob<EventType>
        ? Extract<KnownEvent, { type: Covered<Pattern> }>
        : // Events of types that nobody declared yet may come too.
          Extract<Event, { type: Covered<Pattern> }> | UnknownEvent;

type Covered<Glob extends string> = Glob extends `${infer Prefix}*` ? `${Prefix}${string}` : never;

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
