import type { ClaimResult, DedupeClaim, DedupeStore } from './dedupe.ts';
import { checkWhole } from './whole.ts';

/** What {@link memoryDedupe} takes. */
export interface MemoryDedupeOptions {
  /**
   * Largest number of deliveries that are remembered. Beyond it the one that was done first is forgotten, never one that is being
   * handled: where all of them are, `claim` throws, so that the delivery is answered 500 and sent again. 100,000 unless given.
   */
  maxEntries?: number | undefined;
  /** The clock, in milliseconds. */
  now?: (() => number) | undefined;
}

/** The store that {@link memoryDedupe} gives: synchronous, and usable by hand without a claim. */
export interface MemoryDedupe extends DedupeStore {
  claim(id: string, claim?: Partial<DedupeClaim>): ClaimResult;
  commit(id: string, claim?: Partial<DedupeClaim>): void;
  release(id: string, claim?: Partial<DedupeClaim>): void;
}

/**
 * Remembers deliveries in this process: enough for a receiver that runs as one process. Several share a store of their own.
 *
 * {@includeCode ../test/documented/memory-dedupe.ts#dedupe}
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): MemoryDedupe {
  const { maxEntries = 100_000, now = Date.now } = options;
  checkWhole('maxEntries', maxEntries);
  /** Which attempt handles a delivery, and until when its claim holds. */
  const running = new Map<string, { token: string; endsAt: number }>();
  /** Until when a delivery that was handled is remembered: the one that was done first comes first. */
  const done = new Map<string, number>();
  const holds = (id: string, token: string) => running.get(id)?.token === token;
  /** Makes room for one more. */
  const forgetOne = () => {
    const [first] = done.keys();
    if (first !== undefined) return done.delete(first);
    for (const [id, { endsAt }] of running) if (endsAt <= now()) return running.delete(id);
    throw new Error(`Raise maxEntries: ${maxEntries} deliveries are being handled at once.`);
  };
  return {
    claim(id, { token = '', leaseSeconds = 240 } = {}) {
      if ((done.get(id) ?? 0) > now()) return 'done';
      if ((running.get(id)?.endsAt ?? 0) > now()) return 'busy';
      done.delete(id);
      running.delete(id);
      if (done.size + running.size >= maxEntries) forgetOne();
      running.set(id, { token, endsAt: now() + leaseSeconds * 1000 });
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
