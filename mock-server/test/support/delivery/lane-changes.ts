import type { Queries, Storage } from '../../../src/storage/port.ts';

/** A transaction that claims lanes, or one that releases some. */
export type LaneChange = 'claim' | 'release';

/** What a test does when lanes change hands. */
export interface LaneWatcher {
  /** Runs in the transaction, before its commit. If it throws, the transaction does not take place. */
  committing?(change: LaneChange): Promise<void>;
  /** Runs after the commit, before its reply. If it throws, the reply is lost. */
  answering?(change: LaneChange): Promise<void>;
}

/** Wraps a storage and watches the transactions that claim or release lanes. */
export function watchLanes(storage: Storage, watcher: LaneWatcher): Storage {
  return {
    ...storage,
    async write(work, options) {
      let change: LaneChange | undefined;
      const result = await storage.write(async (queries) => {
        const before = await countHeld(queries);
        const result = await work(queries);
        change = changeFrom(before, await countHeld(queries));
        if (change) await watcher.committing?.(change);
        return result;
      }, options);
      if (change) await watcher.answering?.(change);
      return result;
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function countHeld(queries: Queries): Promise<number> {
  const held = await queries.selectFrom('delivery_lanes').select('node').where('node', 'is not', null).execute();
  return held.length;
}

function changeFrom(before: number, after: number): LaneChange | undefined {
  if (before === after) return undefined;
  return before < after ? 'claim' : 'release';
}
