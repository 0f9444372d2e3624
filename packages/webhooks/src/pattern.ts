import {
  type AddedEvents,
  type Event,
  type EventType,
  type KnownEvent,
  SUBJECTS,
  type UnknownEvent,
} from './events.ts';

/** The globs `<prefix>.*` that cover a type of the catalog. */
export type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/** `*`, a type of the catalog or of {@link AddedEvents}, or a glob `<prefix>.*` over them. */
export type EventPattern = '*' | ListedType | PrefixGlob<ListedType>;

type ListedType = EventType | keyof AddedEvents;

/** The patterns that `on` was called with: one, or an array of them. */
export type PatternIn<Given extends string | readonly string[]> = Given extends readonly string[]
  ? Given[number]
  : Given & string;

/**
 * The type of a pattern, or of an array of patterns, as a parameter. A text whose value the compiler does not know may be
 * anything. Any other must match an event.
 */
export type PatternParameter<Given extends string | readonly string[]> =
  string extends PatternIn<Given>
    ? Given
    : [PatternIn<Given>] extends [EventPattern]
      ? Given
      : EventPattern | readonly EventPattern[];

/** The events that a handler of `Pattern` receives. */
export type EventOf<Pattern extends string> = string extends Pattern
  ? Event
  : Pattern extends '*'
    ? Event
    : Pattern extends ListedType
      ? Extract<Event, { type: Pattern }>
      : Pattern extends PrefixGlob<EventType>
        ? Extract<KnownEvent, { type: Covered<Pattern> }>
        : // Events of undeclared types may arrive too.
          Extract<Event, { type: Covered<Pattern> }> | UnknownEvent;

type Covered<Glob extends string> = Glob extends `${infer Prefix}*` ? `${Prefix}${string}` : never;

/**
 * Whether a handler of `pattern` receives the events that the pattern covers. It receives what its type promises. An unknown
 * event reaches `*`, and the patterns that cover nothing in the catalog.
 */
export function patternTakes(pattern: string, known: boolean): boolean {
  return known || pattern === '*' || !Object.keys(SUBJECTS).some((own) => covers(pattern, own));
}

/** Whether a pattern covers a type of event. */
export function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
