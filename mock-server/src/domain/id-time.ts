import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from './instant.ts';

/**
 * The maximum difference between the times in the ids of rows that are stored together. The times can differ, because a
 * node may pause after it has generated an id. The same limit applies to the difference between a row's creation time
 * and the time in its id.
 */
export const DRAWN_WITHIN_MS = 60_000;

/** The latest time that an id can have, in the year 10889. */
export const LAST_ID_AT: Instant = 2 ** 48 - 1;

/**
 * The largest distance between a frozen clock and the epoch, or between a running clock and the real time: 8,556 years.
 * So every clock stays before the year 10889.
 */
export const FURTHEST_MS = 270_000_000_000_000;

export const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const ULID = new RegExp(`^${ULID_PATTERN}$`);
const BEYOND = encodeTime(FURTHEST_MS + 1, 10);

/**
 * Returns the ULID of an id. Returns `undefined` if the id has no ULID, or if the time in the ULID is too far in the
 * future. New ids must be higher than every accepted id, so an accepted id must leave room for higher ids.
 */
export function ulidOf(id: string): string | undefined {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix < BEYOND ? suffix : undefined;
}

export function isBeyondTime(id: string): boolean {
  const suffix = id.slice(-26);
  return ULID.test(suffix) && suffix >= BEYOND;
}

/** Returns the lowest possible id of a kind with the time `at`. All ids of this kind with earlier times are lower. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${lowestBareIdAt(at)}`;
}

/** Like {@link lowestIdAt}, but for ids without a prefix. The service's API does not show such ids. */
export function lowestBareIdAt(at: Instant): string {
  return `${encodeTime(within(at), 10)}${'0'.repeat(16)}`;
}

/** Returns a kind's highest id with the time `at`. All ids of the kind with later times are higher. */
export function highestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(within(at), 10)}${'Z'.repeat(16)}`;
}

const within = (at: Instant) => Math.min(Math.max(at, 0), LAST_ID_AT);

/** Ids always increase. So after the clock is set back, the time in a new id can be later than the clock's time. */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}

/** If `id` is the latest id, returns how many milliseconds the time in the next id is ahead of the clock. */
export const leadOf = (id: string, now: Instant): number => timeOfId(id) + 1 - now;

/** Adds a second to a lead, because nodes' clocks may differ. Returns `undefined` if the known lead is high enough. */
export const raisedLead = (knownMs: number | undefined, leadMs: number): number | undefined =>
  leadMs > (knownMs ?? 0) ? leadMs + 1_000 : undefined;
