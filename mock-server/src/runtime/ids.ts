import { randomFillSync } from 'node:crypto';
import { ID_PREFIXES, type Id, type IdKind } from '@svc/contract';
import { monotonicFactory } from 'ulid';
import { drawFraction, type Random, systemRandom } from '../domain/random.ts';
import type { Clock, Instant } from './clock.ts';

/** Makes identifiers: a prefix and a ULID, so that the order by id is the order of creation. */
export interface Ids {
  next<Kind extends IdKind>(kind: Kind): Id<Kind>;
  /** The bare 26 characters, for rows that the API does not show. */
  nextBare(): string;
  /** The bare id of an attempt. With a seed it follows from the delivery and the number: attempts end in any order. */
  nextAttempt(deliveryId: string, number: number): string;
  /** Starts again, as if created with this `latest`: without one if no row with an id is left. */
  restart(latest?: string): void;
  /** From now on every id is above this one, prefixed or bare. An id of another form changes nothing. */
  riseAbove(id: string): void;
}

/**
 * Ids that rise within the process whatever the clock does.
 *
 * @param latest - The highest 26 characters in use, if a database has rows: new ids come after them even if the clock was
 *   ahead then.
 * @param random - With a seed, each kind of id has a row of its own and rises by itself.
 */
export function createIds(clock: Clock, latest?: string, random: Random = systemRandom): Ids {
  const isSeeded = random !== systemRandom;
  const createRow = (purpose: string) =>
    monotonicFactory(isSeeded ? () => drawFraction(random, `ids:${purpose}`) : randomFraction);
  let rows = new Map<string, ReturnType<typeof createRow>>();
  let floor = above(latest);
  let last = '';

  function draw(kind: string): string {
    const purpose = isSeeded ? kind : '';
    const row = rows.get(purpose) ?? createRow(purpose);
    rows.set(purpose, row);
    const drawn = row(Math.max(clock.now(), floor));
    if (drawn > last) last = drawn;
    return drawn;
  }

  return {
    nextBare: () => draw(''),
    next: (kind) => `${ID_PREFIXES[kind]}${draw(kind)}`,
    nextAttempt(deliveryId, number) {
      if (!isSeeded) return draw('');
      const purpose = `attempt:${deliveryId}:${number}`;
      return monotonicFactory(() => drawFraction(random, purpose))(Math.max(clock.now(), floor));
    },
    restart(from) {
      rows = new Map();
      floor = above(from);
      last = '';
    },
    riseAbove(id) {
      const suffix = id.slice(-ULID_LENGTH);
      if (ULID.test(suffix) && suffix > last) floor = Math.max(floor, above(suffix));
    },
  };
}

/** The first instant whose ids all lie above. */
const above = (latest: string | undefined): Instant => (latest === undefined ? 0 : timeOf(latest) + 1);

const ULID_LENGTH = 26;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function timeOf(ulid: string): Instant {
  return [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

const drawn = new Uint8Array(4_096);
let left = 0;

/** A fraction below 1 from the system's random numbers, which are drawn many at a time: to ask for each costs more than an id. */
function randomFraction(): number {
  if (left === 0) left = randomFillSync(drawn).length;
  return (drawn[--left] ?? 0) / 256;
}
