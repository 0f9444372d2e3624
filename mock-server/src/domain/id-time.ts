import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from '../runtime/clock.ts';

/** The ids of what is stored together are drawn within this time of each other and of its row's own: a node may stall between. */
export const DRAWN_WITHIN_MS = 60_000;

/** The last instant that an id can tell. */
const LAST_INSTANT = 2 ** 48 - 1;

/** The lowest id of a kind that can be made at `at`: what was made before has a lower one. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${lowestBareIdAt(at)}`;
}

/** The same without a prefix, for ids that are not of the service's own API. */
export function lowestBareIdAt(at: Instant): string {
  return `${encodeTime(within(at), 10)}${'0'.repeat(16)}`;
}

/** The highest id of a kind that can be made at `at`: what is made later has a higher one. */
export function highestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(within(at), 10)}${'Z'.repeat(16)}`;
}

const within = (at: Instant) => Math.min(Math.max(at, 0), LAST_INSTANT);

/** When an id was made; ids rise even where the clock was set back, so never earlier than it says. */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}
