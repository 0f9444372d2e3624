import * as z from 'zod';
import { ID_PREFIXES, type Id, type IdKind } from '../ids.ts';
import type { JsonValue, Open } from '../open.ts';

/** An id of one kind. */
export const id = <Kind extends IdKind>(kind: Kind): z.ZodType<Id<Kind>> =>
  z.templateLiteral([ID_PREFIXES[kind], z.string()]) as unknown as z.ZodType<Id<Kind>>;

/** A known value, or one that the service may add later. */
export const open = <const Known extends readonly [string, ...string[]]>(
  known: Known,
): z.ZodType<Open<Known[number]>> => z.union([z.enum(known), z.string()]);

/** ISO 8601 in UTC with milliseconds, the format that the service writes. */
export const timestamp: z.ZodType<string> = z.iso.datetime({ precision: 3 });

/** ISO 8601 with `Z` or an offset, the format that callers may send. */
export const instant: z.ZodType<string> = z.union(
  [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })],
  'must be an ISO 8601 date and time with Z or an offset such as +02:00',
);

export const json: z.ZodType<JsonValue> = z.json();

/**
 * Whether a text is an absolute http or https URL without corrections. `new URL` accepts and corrects white space,
 * control characters, backslashes, and missing or extra slashes.
 */
export const isAbsoluteHttpUrl = (value: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu.test(value) && URL.canParse(value);

const codePoints = (value: string): number => [...value].length;

/** Text whose length is counted in Unicode code points, as OpenAPI counts it. */
export const text = (min: number, max: number): z.ZodType<string, string> =>
  withinLength(min, max).meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/** Text that is trimmed and then has 1 to `max` code points. JSON Schema cannot trim, so it has a pattern instead. */
export const trimmedText = (max: number): z.ZodType<string, string> =>
  z
    .string()
    .trim()
    .pipe(withinLength(1, max))
    .meta({
      description: `Trimmed, and then of 1 to ${max} characters.`,
      pattern: `^\\s*\\S(?:[\\s\\S]{0,${max - 2}}\\S)?\\s*$`,
    });

function withinLength(min: number, max: number): z.ZodType<string, string> {
  const words = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return z
    .string()
    .refine(
      (value) => value.length <= 2 * max && codePoints(value) >= min && codePoints(value) <= max,
      `must have ${words}`,
    );
}
