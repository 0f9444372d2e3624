import * as z from 'zod';
import { TIMEZONE_LENGTH, WORKSPACE_NAME_LENGTH } from '../limits.ts';
import type { UpdateWorkspaceBody } from '../resources/workspace.ts';
import { text, trimmedLine } from './primitives.ts';
import { weekStartsOnSchema } from './workspace.ts';

/** The schema of a workspace's `name`. The name is trimmed before its length is checked. */
export const workspaceNameSchema = trimmedLine(WORKSPACE_NAME_LENGTH.max);

export const slugSchema = z
  .string()
  .min(WORKSPACE_NAME_LENGTH.min)
  .max(WORKSPACE_NAME_LENGTH.max)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be words of a-z and 0-9 joined by single - or _');

export const timezoneSchema = text(TIMEZONE_LENGTH.min, TIMEZONE_LENGTH.max).refine(
  isTimeZone,
  'must be the name of an IANA time zone, such as Europe/Berlin',
);

export const UpdateWorkspaceBodySchema = z.object({
  name: workspaceNameSchema.optional(),
  slug: slugSchema.optional(),
  timezone: timezoneSchema.nullable().optional(),
  weekStartsOn: weekStartsOnSchema.nullable().optional(),
}) satisfies z.ZodType<UpdateWorkspaceBody>;

/** All IANA time zones with a name of three letters. */
const THREE_LETTERS = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/i;
/** Names that are not in IANA's database, but that `Intl` accepts because its library ICU knows them. */
const ONLY_IN_ICU = /^(?:SystemV\/.*|US\/Pacific-New)$/i;

function isTimeZone(value: string): boolean {
  // `Intl` also accepts offsets such as +05:30, but an offset is not the name of a time zone.
  if (!/^[a-z]/i.test(value)) return false;
  // Reject ambiguous abbreviations that ICU knows, such as PST and IST, and names that only ICU knows. Temporal accepts
  // none of these names.
  if ((value.length === 3 && !THREE_LETTERS.test(value)) || ONLY_IN_ICU.test(value)) return false;
  // Check the list of time zones first, because the first `Intl.DateTimeFormat` of a process takes ten times as long as
  // this check. Then try `Intl.DateTimeFormat`, because the list does not contain aliases.
  if (Intl.supportedValuesOf('timeZone').includes(value)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
