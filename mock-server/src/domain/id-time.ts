import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { decodeTime, encodeTime } from 'ulid';
import type { Instant } from '../runtime/clock.ts';

/** The lowest id of a kind that can be made at `at`: what was made before has a lower one. */
export function lowestIdAt(kind: IdKind, at: Instant): string {
  return `${ID_PREFIXES[kind]}${encodeTime(at, 10)}${'0'.repeat(16)}`;
}

/** When an id was made; ids rise even where the clock was set back, so never earlier than it says. */
export function timeOfId(id: string): Instant {
  return decodeTime(id.slice(-26));
}
