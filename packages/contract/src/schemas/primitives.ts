import * as z from 'zod';
import { ID_PREFIXES, type Id, type IdKind } from '../ids.ts';
import type { JsonValue, Open } from '../open.ts';

const IN_UTC = /(?:Z|\+00:00)$/;

const sentForms = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Returns `accepted`, the schema of all forms that the service document allows. Also stores `sent`, the schema of the
 * form that this project's server sends.
 */
export function tolerant<Accepted extends z.ZodType>(accepted: Accepted, sent: z.ZodType): Accepted {
  sentForms.set(accepted, sent);
  return accepted;
}

/**
 * Returns the schema of the form that this project's server sends, or undefined if `accepted` is not {@link tolerant}.
 */
export const sentFormOf = (accepted: z.core.$ZodType): z.ZodType | undefined => sentForms.get(accepted);

/** The part of an id or a secret that follows the prefix. */
export const opaque = z.string().min(1);

/** An id of one kind. */
export const id = <Kind extends IdKind>(kind: Kind): z.ZodType<Id<Kind>> =>
  tolerant(
    z.templateLiteral([ID_PREFIXES[kind], opaque]) as unknown as z.ZodType<Id<Kind>>,
    z.string().regex(new RegExp(`^${ID_PREFIXES[kind]}[0-9A-Z]{26}$`)),
  );

/** A known value, or a value that the service may add later. This project's server sends values that match `sent`. */
export const open = <const Known extends readonly [string, ...string[]]>(
  known: Known,
  sent: z.ZodType<string> = z.enum(known),
): z.ZodType<Open<Known[number]>> => tolerant(z.union([z.enum(known), z.string()]), sent);

/** The type of a schema for a field that may be absent. If the field is present, its value is never `undefined`. */
export type MayBeAbsent<Value extends z.ZodType> = z.ZodType<z.output<Value>, z.input<Value>> & {
  _zod: { optin: 'optional'; optout: 'optional' };
};

/**
 * The schema of a field that may be absent. The type excludes `undefined`. The schema itself accepts `undefined`, which
 * does no harm, because JSON has no `undefined`. zod's method `exactOptional()` would reject `undefined`, but requires
 * zod 4.3.
 */
export const mayBeAbsent = <Value extends z.ZodType>(value: Value): MayBeAbsent<Value> =>
  value.optional() as unknown as MayBeAbsent<Value>;

/** The schema of a field that may be null or absent. This project's server sends null. */
export const absentOrNull = <Value extends z.ZodType>(value: Value) =>
  tolerant(mayBeAbsent(value.nullable()), value.nullable());

/** A time that a caller sends: ISO 8601 with `Z` or an offset. */
export const instant: z.ZodType<string, string> = z.union(
  [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })],
  'must be an ISO 8601 date and time with Z or an offset such as +02:00 (in a URL: %2B02:00)',
);

/**
 * A time in ISO 8601 and UTC. The service document does not limit the form further. This project's server sends
 * milliseconds and `Z`.
 */
export const timestamp: z.ZodType<string> = tolerant(
  z
    .string()
    .refine((value) => IN_UTC.test(value) && instant.safeParse(value).success, 'must be ISO 8601 in UTC')
    .meta({ format: 'date-time', pattern: IN_UTC.source }),
  z.iso.datetime({ precision: 3 }),
);

/** The URL of a page, absolute or as a path. */
export const pageUrl: z.ZodType<string> = tolerant(
  z
    .union([z.url().meta({ pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }), z.string().regex(/^\/(?!\/)/)])
    .meta({ format: 'uri-reference' }),
  z.url(),
);

export const json: z.ZodType<JsonValue> = z.json();

/**
 * Whether a string is an absolute http or https URL that needs no corrections. `new URL` alone would also accept and
 * correct white space, control characters, backslashes, and missing or extra slashes.
 */
export const isAbsoluteHttpUrl = (value: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu.test(value) && URL.canParse(value);

const codePoints = (value: string): number => [...value].length;

/** A string whose length is counted in Unicode code points, as in OpenAPI. */
export const text = (min: number, max: number): z.ZodType<string, string> =>
  withinLength(min, max).meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/** Control characters and the line breaks of Unicode, for a character class in a regular expression. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
const WITHOUT_CONTROL = new RegExp(`^[^${CONTROL}]*$`);

/**
 * A string of one line, for names and descriptions. Control characters are not allowed, because a line break or an
 * escape sequence could add lines to emails, logs and terminals.
 */
export const line = (min: number, max: number): z.ZodType<string, string> =>
  oneLine(min, max).meta({ ...(min > 0 && { minLength: min }), maxLength: max, pattern: WITHOUT_CONTROL.source });

/**
 * A line that has 1 to `max` code points after it is trimmed. JSON Schema cannot trim, so the JSON Schema has a pattern
 * instead.
 */
export const trimmedLine = (max: number): z.ZodType<string, string> =>
  z
    .string()
    .trim()
    .pipe(oneLine(1, max))
    .meta({
      description: `1 to ${max} characters after trimming, without control characters.`,
      pattern: `^\\s*[^\\s${CONTROL}](?:[^${CONTROL}]{0,${max - 2}}[^\\s${CONTROL}])?\\s*$`,
    });

const oneLine = (min: number, max: number): z.ZodType<string, string> =>
  withinLength(min, max).refine(
    (value) => WITHOUT_CONTROL.test(value),
    'must not contain control characters or line breaks',
  );

function withinLength(min: number, max: number): z.ZodType<string, string> {
  const words = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return z
    .string()
    .refine(
      (value) => value.length <= 2 * max && codePoints(value) >= min && codePoints(value) <= max,
      `must have ${words}`,
    );
}
