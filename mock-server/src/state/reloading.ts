import type { Logger } from '../runtime/logger.ts';

/** In-memory copies of data from the database. */
export interface Reloading extends Disposable {
  /** Reads the data of all copies from the database again, and retries until the database responds. Never rejects. */
  reload(): Promise<void>;
  /** Whether the copies may differ from the database. */
  isStale(): boolean;
}

/** The pause between retries. */
const RETRY_MS = 1_000;

/** Refreshes in-memory copies from the database, and retries after a failure. */
export function createReloading(kept: readonly { reload(): Promise<void> }[], logger: Logger): Reloading {
  let isStale = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function reload(): Promise<void> {
    clearTimeout(retry);
    isStale = true;
    try {
      for (const one of kept) await one.reload();
      isStale = false;
    } catch (error) {
      if (isClosed) return;
      logger.warn({ err: error, retryInMs: RETRY_MS }, 'cannot reload the settings from the database; will retry');
      clearTimeout(retry);
      retry = setTimeout(reload, RETRY_MS);
    }
  }

  return {
    reload,
    isStale: () => isStale,
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(retry);
    },
  };
}
