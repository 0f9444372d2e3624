import type { DataReplacedError, Queries, Storage } from './port.ts';

/** Checks whether a write may take place, and throws if not. Runs at the start of the write's transaction. */
export type CheckWrite = (queries: Queries) => Promise<void>;

/** The methods throw {@link DataReplacedError} if a reset or restore replaced the data after this object was made. */
export interface SameData {
  /** Call this at the start of a write transaction. Waits until a running reset or restore has ended. */
  checkWrite: CheckWrite;
  /** Call this after a read has ended. */
  checkRead(): Promise<void>;
}

/** Adds a check to each write. `checkFor` is called when a write is requested, before any wait for the database. */
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
