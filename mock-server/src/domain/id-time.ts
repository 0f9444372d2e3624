import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from './instant.ts';

/**
 * The maximum difference between the times in the ids of rows that are stored together. Also the maximum difference
 * between a row's creation time and the time in the row's id. The times differ if a node pauses after it generates an
 * id and before it stores the row.
 */
export const DRAWN_WITHIN_MS = 60_000;

/** The latest time that an id can have, in the year 10889. */
export const LAST_ID_AT: Instant = 2 ** 48 - 1;

/**
 * The maximum distance of a frozen clock from the epoch, and of a running clock from the real time: 8,556 years. So
 * every clock stays before the year 10889, the latest year that an id can contain.
 */
export const FURTHEST_MS = 270_000_000_000_000;

/** Matches a ULID inside a larger pattern. */
export const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const ULID = new RegExp(`^${ULID_PATTERN}$`);
const BEYOND = encodeTime(FURTHEST_MS + 1, 10);

/**
 * Returns the ULID at the end of an id. `undefined` if the id has another form, or a time more than {@link FURTHEST_MS}
 * after the epoch. This service does not generate such an id. If the id were accepted, new ids would have to be higher
 * than the id. That may be impossible, because the id may be the highest possible id.
 */
export function ulidOf(id: string): string | undefined {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix < BEYOND ? suffix : undefined;
}

export function isBeyondTime(id: string): boolean {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix >= BEYOND;
}

/** Returns the lowest possible id of a kind with the time `at`. All ids with earlier times are lower. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${lowestBareIdAt(at)}`;
}

/** Like {@link lowestIdAt}, but without a prefix, for ids that the service's own API does not show. */
export function lowestBareIdAt(at: Instant): string {
  return `${encodeTime(within(at), 10)}${'0'.repeat(16)}`;
}

/** Returns the highest possible id of a kind with the time `at`. All ids with later times are higher. */
export function highestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(within(at), 10)}${'Z'.repeat(16)}`;
}

const within = (at: Instant) => Math.min(Math.max(at, 0), LAST_ID_AT);

/**
 * Returns the time in an id. Ids always increase, so after the clock was set back, the time in a new id can be later
 * than the clock's time.
 */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}

/** How far the time of the next id after `id` is ahead of the clock, in milliseconds. */
export const leadOf = (id: string, now: Instant): number => timeOfId(id) + 1 - now;
