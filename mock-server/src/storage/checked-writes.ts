import type { DataReplacedError, Queries, Storage } from './port.ts';

/** Throws if a write must not take place. Runs in the transaction of the write, before the write. */
export type CheckWrite = (queries: Queries) => Promise<void>;

/**
 * The data as of a moment. Both functions throw {@link DataReplacedError} if a reset or a restore has replaced the data
 * since that moment.
 */
export interface SameData {
  /** Call this in a write, before the write's own statements. Waits until a running reset or restore has ended. */
  checkWrite: CheckWrite;
  /** Call this after a read has ended. */
  checkRead(): Promise<void>;
}

/**
 * Returns a storage whose writes first run a check.
 *
 * @param checkFor - Returns the check for a write. Called when the write is requested, before the write waits for the
 *   database.
 */
export function checkedWrites<Inner extends Pick<Storage, 'write'>>(storage: Inner, checkFor: () => CheckWrite): Inner {
  return {
    ...storage,
    write(work, options) {
      const check = checkFor();
      return storage.write(async (queries) => {
        await check(queries);
        return await work(queries);
      }, options);
    },
  } satisfies Pick<Storage, 'write'> & Inner;
}
