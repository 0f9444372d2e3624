import { isUtf8 } from 'node:buffer';
import { ACTIVE_DAYS_MAX, profileInputSchema as describedProfile } from '@svc/contract/control/schemas';
import { z } from 'zod';
import { dayExists, FIRST_DAY, isWithinYears, LAST_DAY } from '../instant.ts';
import { parseLimitedJson } from '../json-limits.ts';
import { schemaProblem } from '../schema-problem.ts';
import { isDay } from './calendar.ts';

const ATTRIBUTES_MAX_BYTES = 16 * 1024;

/** The message names the allowed days, because many programs write an unknown time as 0001-01-01. */
export const WITHIN_YEARS = `must be between ${FIRST_DAY} and ${LAST_DAY}`;

const INSTANT = 'must be an ISO 8601 date and time with Z or an offset, such as 2026-03-01T09:30:00Z';

const seenAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], INSTANT)
  .transform((value) => Date.parse(value))
  .refine(isWithinYears, WITHIN_YEARS)
  .optional();

/** The schema for one profile, with the rules that JSON Schema cannot express. */
export const profileInputSchema = describedProfile.extend({
  attributes: z
    .record(z.string(), z.unknown())
    .refine(
      (attributes) => Buffer.byteLength(JSON.stringify(attributes)) <= ATTRIBUTES_MAX_BYTES,
      `must be at most ${ATTRIBUTES_MAX_BYTES} bytes of JSON`,
    )
    .optional(),
  // Limit the number of days, because checking very many days would block the server.
  activeDays: z
    .array(
      z.string().refine(isDay, {
        error: ({ input }) =>
          dayExists(String(input)) ? WITHIN_YEARS : 'must be a day that exists, such as 2026-02-28',
      }),
    )
    .max(ACTIVE_DAYS_MAX)
    .optional(),
  firstSeenAt: seenAt,
  lastSeenAt: seenAt,
});

/** What to change in a profile. A field that is omitted does not change. */
export type ProfileInput = z.infer<typeof profileInputSchema>;

export type ParsedProfile = { input: ProfileInput } | { problem: string };

/** Parses a profile. A `problem` in the result is a sentence for the author of the profile. */
export function parseProfile(bytes: Uint8Array): ParsedProfile {
  const parsed = parseLimitedJson(bytes);
  if ('value' in parsed) return checkProfile(parsed.value);
  return { problem: isUtf8(bytes) ? `The profile ${parsed.problem}.` : 'The profile is not valid UTF-8.' };
}

function checkProfile(value: unknown): ParsedProfile {
  const result = profileInputSchema.safeParse(value);
  if (result.success) {
    const { attributes } = value as ProfileInput;
    // Keep the original attributes, because the schema drops a key named `__proto__`.
    return { input: { ...result.data, ...(attributes && { attributes }) } };
  }
  const { path, problem } = schemaProblem(result.error, value);
  return { problem: path === '' ? `The profile ${problem}.` : `"${path}" ${problem}.` };
}
