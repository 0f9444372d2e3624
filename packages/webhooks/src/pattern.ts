import { type AddedEvent, EVENT_TYPES, type EventType, type KnownEvent, type UnknownEvent } from './events.ts';

/** The globs `<prefix>.*` that cover the event type `Type`. */
export type PrefixGlob<Type extends string> = Type extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${PrefixGlob<Rest>}`
  : never;

/**
 * The patterns that editors suggest: `*`, a type in the catalog or in `SvcEventTypes`, or a glob `<prefix>.*` that
 * covers such a type.
 */
export type EventPattern = '*' | ListedType | PrefixGlob<ListedType>;

type ListedType = EventType | keyof SvcEventTypes;

/**
 * A string that can never be a pattern: an empty string, or a string with a `*` that is not the last part of a glob.
 */
type NoPattern<Given extends string> = Given extends '*' | `${string}.*`
  ? never
  : Given extends '' | `${string}*${string}`
    ? Given
    : never;

/** The patterns in the first argument of `on`. The argument is one pattern or an array of patterns. */
export type PatternIn<Given extends string | readonly string[]> = Given extends readonly string[]
  ? Given[number]
  : Given & string;

/**
 * The type of a parameter that is a pattern or an array of patterns. An event may have any type, so a pattern may be
 * any type or glob. `lifecycle*`, for example, does not compile, because a glob ends with `.*`.
 */
export type PatternParameter<Given extends string | readonly string[]> = [NoPattern<PatternIn<Given>>] extends [never]
  ? Given
  : EventPattern | readonly EventPattern[];

/** The events that a handler for `Pattern` receives. */
export type EventOf<Pattern extends string> = KnownEventOf<Pattern> | OtherEventOf<Pattern>;

/** The events in the catalog that a handler for `Pattern` receives. */
export type KnownEventOf<Pattern extends string> = Extract<KnownEvent, { type: Covered<Pattern> }>;

/**
 * The events outside the catalog that a handler for `Pattern` receives. A handler for a glob that covers types in the
 * catalog receives no events outside the catalog.
 */
export type OtherEventOf<Pattern extends string> =
  Pattern extends PrefixGlob<EventType>
    ? never
    : Extract<AddedEvent, { type: Covered<Pattern> }> | (Pattern extends ListedType ? never : UnknownEvent);

type Covered<Pattern extends string> = Pattern extends `${infer Prefix}*` ? `${Prefix}${string}` : Pattern;

/**
 * Whether a handler for `pattern` receives an event with a type that the pattern covers. `known` says whether this type
 * is in the catalog. A handler receives an event outside the catalog only if its pattern is `*` or covers no type in
 * the catalog. The result must agree with the type {@link EventOf}.
 */
export function patternTakes(pattern: string, known: boolean): boolean {
  return known || pattern === '*' || !EVENT_TYPES.some((own) => covers(pattern, own));
}

export function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
