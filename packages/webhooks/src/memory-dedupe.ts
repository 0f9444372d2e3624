import type { ClaimResult, DedupeClaim, DedupeStore } from './dedupe.ts';
import { checkNames } from './option-checks.ts';
import { checkWhole } from './whole.ts';

/** Options for {@link memoryDedupe}. */
export interface MemoryDedupeOptions {
  /**
   * The maximum number of deliveries to remember. The default is 100,000. At the limit, the store forgets the delivery
   * that was handled first. A delivery that is being handled is kept until its claim ends. If all remembered deliveries
   * are being handled, `claim` throws. The receiver then responds with 500, and the service sends the delivery again.
   */
  maxEntries?: number | undefined;
  /** Returns the current time, in milliseconds since the epoch. The default is `Date.now`. */
  now?: (() => number) | undefined;
}

/**
 * The store that {@link memoryDedupe} returns. The store's methods are synchronous, and their second argument is
 * optional.
 */
export interface MemoryDedupe extends DedupeStore {
  claim(id: string, claim?: Partial<DedupeClaim>): ClaimResult;
  commit(id: string, claim?: Partial<DedupeClaim>): void;
  release(id: string, claim?: Partial<DedupeClaim>): void;
}

/**
 * Creates a store that remembers deliveries in the memory of this process. This store is enough if the receiver runs as
 * one process. Several processes need a shared store.
 *
 * {@includeCode ../test/documented/memory-dedupe.ts#dedupe}
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): MemoryDedupe {
  checkNames(options, ['maxEntries', 'now']);
  const { maxEntries = 100_000, now = Date.now } = options;
  checkWhole('maxEntries', maxEntries);
  /** Maps each delivery that is being handled to the token of the attempt, and to the time when its claim ends. */
  const running = new Map<string, [token: string, endsAt: number]>();
  /**
   * Maps each handled delivery to the time until which the store remembers the delivery. The delivery whose handlers
   * finished first comes first.
   */
  const done = new Map<string, number>();
  const holds = (id: string, token: string) => running.get(id)?.[0] === token;
  /** Makes room for one more delivery. */
  const forgetOne = () => {
    const [first] = done.keys();
    if (first !== undefined) return done.delete(first);
    for (const [id, [, endsAt]] of running) if (endsAt <= now()) return running.delete(id);
    throw new Error(`Raise maxEntries: all ${maxEntries} are in progress.`);
  };
  return {
    claim(id, { token = '', leaseSeconds = 240 } = {}) {
      if ((done.get(id) ?? 0) > now()) return 'done';
      if ((running.get(id)?.[1] ?? 0) > now()) return 'busy';
      done.delete(id);
      running.delete(id);
      if (done.size + running.size >= maxEntries) forgetOne();
      running.set(id, [token, now() + leaseSeconds * 1000]);
      return 'new';
    },
    commit(id, { token = '', lifetimeSeconds = 345_600 } = {}) {
      if (!holds(id, token)) return;
      running.delete(id);
      done.set(id, now() + lifetimeSeconds * 1000);
    },
    release(id, { token = '' } = {}) {
      if (holds(id, token)) running.delete(id);
    },
  };
}
