import type { Instant } from '../instant.ts';
import type { Calendar, Day } from './calendar.ts';
import type { ProfileInput } from './profile-input.ts';
import { ACTIVE_DAYS_MAX } from './thresholds.ts';

interface ProfileData {
  externalId: string;
  name: string | null;
  email: string | null;
  /** A JSON object, as a string. */
  attributes: string;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  /** The latest 400 active days, in ascending order, without duplicates. */
  activeDays: readonly Day[];
}

export type StoredProfile = ProfileData & { id: string };

/** Seeds may set the `id`. */
export type SeededInput = ProfileInput & { id?: string | undefined };

export type ProfileChange = { before: StoredProfile; after: StoredProfile };

type Outcome = 'created' | 'updated' | 'unchanged' | { problem: string };

/**
 * Merges the inputs into the known profiles one after another, so several inputs may have the same `externalId`.
 * Returns the outcome for each input, and what to store. The keys of `known` are external ids.
 */
export function mergeProfiles(
  known: ReadonlyMap<string, StoredProfile>,
  inputs: readonly SeededInput[],
  { now, calendar, newId }: { now: Instant; calendar: Calendar; newId: () => string },
): { outcomes: Outcome[]; created: StoredProfile[]; changes: ProfileChange[] } {
  const merged = new Map(known);
  const outcomes = inputs.map((input): Outcome => {
    const skipped = input.activeDays?.find((day) => !calendar.has(day));
    if (skipped !== undefined)
      return { problem: `"activeDays" contains ${skipped}, a day that does not exist in the workspace's time zone.` };
    const before = merged.get(input.externalId);
    const after = mergeProfile(before, input, now, calendar);
    if (after === before) return 'unchanged';
    merged.set(input.externalId, { ...after, id: before?.id ?? input.id ?? newId() });
    return before ? 'updated' : 'created';
  });
  const created: StoredProfile[] = [];
  const changes: ProfileChange[] = [];
  for (const [key, after] of merged) {
    const before = known.get(key);
    if (!before) created.push(after);
    else if (before !== after) changes.push({ before, after });
  }
  return { outcomes, created, changes };
}

/** Returns `known` itself if nothing changes. */
function mergeProfile<Known extends ProfileData>(
  known: Known | undefined,
  input: ProfileInput,
  now: Instant,
  calendar: Calendar,
): Known | ProfileData {
  const merged: ProfileData = {
    externalId: input.externalId,
    name: input.name === undefined ? (known?.name ?? null) : input.name,
    email: input.email === undefined ? (known?.email ?? null) : input.email,
    attributes: input.attributes === undefined ? (known?.attributes ?? '{}') : JSON.stringify(input.attributes),
    ...mergeSeen(known, input, now, calendar),
  };
  const keys = Object.keys(merged) as (keyof ProfileData)[];
  return known && keys.every((key) => merged[key] === known[key]) ? known : { ...known, ...merged };
}

type Seen = Pick<ProfileData, 'firstSeenAt' | 'lastSeenAt' | 'activeDays'>;

/**
 * Merges seen times and active days. If a new active day contains no seen time, the first moment of the day counts as a
 * seen time. A new profile with neither days nor times counts as seen `now`, but has no active day.
 */
function mergeSeen(known: Seen | undefined, input: ProfileInput, now: Instant, calendar: Calendar): Seen {
  const sentTimes = [input.firstSeenAt, input.lastSeenAt].filter((at) => at !== undefined);
  const sentDays = input.activeDays ?? [];
  if (known && sentTimes.length === 0 && sentDays.length === 0) {
    const { firstSeenAt, lastSeenAt, activeDays } = known;
    return { firstSeenAt, lastSeenAt, activeDays };
  }
  const knownTimes = known ? [known.firstSeenAt, known.lastSeenAt] : [];
  const timedDays = new Set([...sentTimes, ...knownTimes].map(calendar.dayOf));
  const knownDays = new Set(known?.activeDays);
  const untimedDays = sentDays.filter((day) => !timedDays.has(day) && !knownDays.has(day)).sort();
  // Finding a day's first moment is slow, and only the first and the last of these days can affect the seen times.
  const outerDays = [...untimedDays.slice(0, 1), ...untimedDays.slice(-1)];
  const times = [...sentTimes, ...knownTimes, ...outerDays.map(calendar.startOf)].sort((a, b) => a - b);
  return {
    firstSeenAt: times[0] ?? now,
    lastSeenAt: times.at(-1) ?? now,
    activeDays: mergeDays(known?.activeDays ?? [], [...sentDays, ...sentTimes.map(calendar.dayOf)]),
  };
}

/** Returns `known` itself if no day is added. */
function mergeDays(known: readonly Day[], sent: readonly Day[]): readonly Day[] {
  const all = new Set([...known, ...sent]);
  if (all.size === known.length) return known;
  const latest = [...all].sort().slice(-ACTIVE_DAYS_MAX);
  const isSame = latest.length === known.length && latest.every((day, index) => day === known[index]);
  return isSame ? known : latest;
}
