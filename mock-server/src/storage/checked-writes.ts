import type { DataReplacedError, Queries, Storage } from './port.ts';

/** Throws if a write must not take place. Runs first in the transaction of the write. */
export type CheckWrite = (queries: Queries) => Promise<void>;

/** Both functions throw {@link DataReplacedError} if a reset or a restore has replaced the data meanwhile. */
export interface SameData {
  /** Call this in a write, before the write's own statements. Waits until a running reset or restore has ended. */
  checkWrite: CheckWrite;
  /** Call this after a read has ended. */
  checkRead(): Promise<void>;
}

/** `checkFor` is called when a write is requested, before the write waits for the database. */
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
