import { randomInt } from 'node:crypto';
import { ID_PREFIXES, type Id, type IdKind } from '@svc/contract';
import { monotonicFactory } from 'ulid';
import { timeOfId, ulidOf } from '../domain/id-time.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import { drawFraction, type Random, systemRandom } from '../domain/random.ts';

export type Ids = ReturnType<typeof createIds>;

/**
 * Creates ids. Each id consists of a prefix and a ULID. Ids increase within the process, even if the clock is set back,
 * so rows sorted by id are in the order of their creation.
 *
 * @param latest - The highest ULID in use, if any. New ids are higher.
 * @param random - With a seed, each kind of id has a separate, increasing sequence.
 */
export function createIds(clock: Clock, latest?: string, random: Random = systemRandom) {
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
    next: <Kind extends IdKind>(kind: Kind): Id<Kind> => `${ID_PREFIXES[kind]}${draw(kind)}`,
    /** Returns an id without a prefix (26 characters), for rows that the API does not show. */
    nextBare: (): string => draw(''),
    /**
     * Returns the id of an attempt, without a prefix. With seeded random numbers, the random part of the id depends
     * only on the delivery and the attempt's number, and not on the order in which attempts end.
     */
    nextAttempt(deliveryId: string, number: number): string {
      if (!isSeeded) return draw('');
      const purpose = `attempt:${deliveryId}:${number}`;
      return monotonicFactory(() => drawFraction(random, purpose))(Math.max(clock.now(), floor));
    },
    /** Restarts the generator, as if it had just been created with `from` as the highest ULID in use. */
    restart(from?: string): void {
      rows = new Map();
      floor = above(from);
      last = '';
    },
    /** Makes all later ids higher than the given id, which may have a prefix. Ignores ids without a ULID. */
    riseAbove(id: string): void {
      const suffix = ulidOf(id);
      if (suffix !== undefined && suffix > last) floor = Math.max(floor, above(suffix));
    },
    /**
     * How many milliseconds the times in new ids are ahead of the clock. The times are ahead if the clock was set back,
     * or if a seed contains ids with later times. The time in new ids then stands still until the clock has caught up.
     */
    leadMs: (): number => Math.max(0, Math.max(floor, last === '' ? 0 : timeOfId(last)) - clock.now()),
  };
}

/** Returns the first instant at which every new id is higher than `latest`. */
const above = (latest: string | undefined): Instant => (latest === undefined ? 0 : timeOfId(latest) + 1);

const randomFraction = (): number => randomInt(2 ** 32) / 2 ** 32;
