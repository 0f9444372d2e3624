import { type AddedEvent, EVENT_TYPES, type EventType, type KnownEvent, type UnknownEvent } from './events.ts';

/** The globs `<prefix>.*` that cover a type of the catalog. */
export type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/** The patterns that editors suggest: `*`, a type of the catalog or of `SvcEventTypes`, or a glob `<prefix>.*` over them. */
export type EventPattern = '*' | ListedType | PrefixGlob<ListedType>;

type ListedType = EventType | keyof SvcEventTypes;

/** A string that can never be a pattern: an empty one, or one with a `*` other than the last part of a glob. */
type NoPattern<Given extends string> = Given extends '*' | `${string}.*`
  ? never
  : Given extends '' | `${string}*${string}`
    ? Given
    : never;

/** The patterns that `on` was called with: one, or an array of them. */
export type PatternIn<Given extends string | readonly string[]> = Given extends readonly string[]
  ? Given[number]
  : Given & string;

/**
 * The type of a pattern, or of an array of patterns, as a parameter. An event may have any type, so a pattern may be
 * any string except those that can never match, such as `lifecycle*`.
 */
export type PatternParameter<Given extends string | readonly string[]> = [NoPattern<PatternIn<Given>>] extends [never]
  ? Given
  : EventPattern | readonly EventPattern[];

/** The events that a handler of `Pattern` receives. */
export type EventOf<Pattern extends string> = KnownEventOf<Pattern> | OtherEventOf<Pattern>;

/** The events of the catalog that a handler of `Pattern` receives. */
export type KnownEventOf<Pattern extends string> = Extract<KnownEvent, { type: Covered<Pattern> }>;

/** The other events that a handler of `Pattern` receives. None for a glob over the catalog. */
export type OtherEventOf<Pattern extends string> =
  Pattern extends PrefixGlob<EventType>
    ? never
    : Extract<AddedEvent, { type: Covered<Pattern> }> | (Pattern extends ListedType ? never : UnknownEvent);

type Covered<Pattern extends string> = Pattern extends `${infer Prefix}*` ? `${Prefix}${string}` : Pattern;

/**
 * Whether a handler of `pattern` receives the events that the pattern covers. It receives what its type promises. An unknown
 * event reaches `*`, and the patterns that cover nothing in the catalog.
 */
export function patternTakes(pattern: string, known: boolean): boolean {
  return known || pattern === '*' || !EVENT_TYPES.some((own) => covers(pattern, own));
}

/** Whether a pattern covers a type of event. */
export function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
