import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from './instant.ts';

/**
 * The largest time difference between the ids of rows that are stored together, and their creation times. A node may
 * pause in between.
 */
export const DRAWN_WITHIN_MS = 60_000;

/** The latest time that an id can have. */
const LAST_INSTANT = 2 ** 48 - 1;

/** The lowest possible id of a kind created at `at`. Ids from earlier times are lower. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${lowestBareIdAt(at)}`;
}

/** Like {@link lowestIdAt}, but without a prefix, for ids that the service's own API does not show. */
export function lowestBareIdAt(at: Instant): string {
  return `${encodeTime(within(at), 10)}${'0'.repeat(16)}`;
}

/** The highest possible id of a kind created at `at`. Ids from later times are higher. */
export function highestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(within(at), 10)}${'Z'.repeat(16)}`;
}

const within = (at: Instant) => Math.min(Math.max(at, 0), LAST_INSTANT);

/**
 * The time in an id. Usually the time when it was generated. If the clock had been set back, it is later, because ids
 * always increase.
 */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}
