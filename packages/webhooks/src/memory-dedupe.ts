import type { ClaimResult, DedupeClaim, DedupeStore } from './dedupe.ts';
import { checkWhole } from './whole.ts';

/** What {@link memoryDedupe} takes. */
export interface MemoryDedupeOptions {
  /** Largest number of deliveries that are remembered; beyond it the oldest is forgotten. 100,000 unless given. */
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
  const entries = new Map<string, { done: boolean; token: string; endsAt: number }>();
  const remember = (id: string, done: boolean, token: string, seconds: number) => {
    // Deleted first, so that the order of the map is the order of age.
    entries.delete(id);
    entries.set(id, { done, token, endsAt: now() + seconds * 1000 });
  };
  const holds = (id: string, token: string) => {
    const entry = entries.get(id);
    return entry !== undefined && !entry.done && entry.token === token;
  };
  return {
    claim(id, { token = '', leaseSeconds = 240 } = {}) {
      const entry = entries.get(id);
      if (entry && entry.endsAt > now()) return entry.done ? 'done' : 'busy';
      remember(id, false, token, leaseSeconds);
      if (entries.size > maxEntries) forgetOldest(entries);
      return 'new';
    },
    commit(id, { token = '', lifetimeSeconds = 345_600 } = {}) {
      if (holds(id, token)) remember(id, true, token, lifetimeSeconds);
    },
    release(id, { token = '' } = {}) {
      if (holds(id, token)) entries.delete(id);
    },
  };
}

function forgetOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
