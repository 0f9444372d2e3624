import type { Queries, Storage } from './port.ts';

/** Throws if a write must not take place. Runs in the transaction of the write, before the write. */
export type CheckWrite = (queries: Queries) => Promise<void>;

/**
 * Returns a storage whose writes first run a check.
 *
 * @param checkFor - Returns the check for a write. Called when the write is requested, before it waits for the database.
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
