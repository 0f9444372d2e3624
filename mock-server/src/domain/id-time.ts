import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from './instant.ts';

/**
 * If rows are stored together, the times in their ids differ by at most this much. A row's creation time and the time
 * in its id also differ by at most this much. Such times differ if a node pauses before it stores the rows.
 */
export const DRAWN_WITHIN_MS = 60_000;

/** The latest time that an id can have, in the year 10889. */
export const LAST_ID_AT: Instant = 2 ** 48 - 1;

/**
 * A frozen clock is at most this far from the epoch, and a running clock is at most this far from the real time: 8,556
 * years. So every clock stays before the year 10889, the latest year that an id can contain.
 */
export const FURTHEST_MS = 270_000_000_000_000;

/** Matches a ULID, as a part of a larger pattern. */
export const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const ULID = new RegExp(`^${ULID_PATTERN}$`);
const BEYOND = encodeTime(FURTHEST_MS + 1, 10);

/**
 * Returns the ULID at the end of an id. `undefined` if the id has another form, or if the time in the id is later than
 * any clock can show. Such an id is not from this service, and may be the highest possible id.
 */
export function ulidOf(id: string): string | undefined {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix < BEYOND ? suffix : undefined;
}

/** Whether an id ends in a ULID whose time is later than any clock can show. */
export function isBeyondTime(id: string): boolean {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix >= BEYOND;
}

/** Returns the lowest possible id of a kind with the time `at`. Ids from earlier times are lower. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${lowestBareIdAt(at)}`;
}

/** Like {@link lowestIdAt}, but without a prefix, for ids that the service's own API does not show. */
export function lowestBareIdAt(at: Instant): string {
  return `${encodeTime(within(at), 10)}${'0'.repeat(16)}`;
}

/** Returns the highest possible id of a kind with the time `at`. Ids from later times are higher. */
export function highestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(within(at), 10)}${'Z'.repeat(16)}`;
}

const within = (at: Instant) => Math.min(Math.max(at, 0), LAST_ID_AT);

/**
 * Returns the time in an id, which is usually the time when the id was generated. If the clock was set back before the
 * id was generated, the time in the id can be later than the clock's time, because ids always increase.
 */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}

/** How far the time in an id is ahead of the clock, in milliseconds, plus 1 for the time in the next id. */
export const leadOf = (id: string, now: Instant): number => timeOfId(id) + 1 - now;
