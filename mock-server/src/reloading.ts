import type { Logger } from './runtime/logger.ts';

/** Things that are kept in memory and stand in the database. */
export interface Reloading extends Disposable {
  /** Reads all of them again; what cannot be read now is read as soon as the database answers. Never rejects. */
  reload(): Promise<void>;
  /** Whether they may be others in the database. */
  isStale(): boolean;
}

/** How often it is tried again. */
const RETRY_MS = 1_000;

/** Reads again what is kept in memory, for as long as it takes. */
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
      logger.warn({ err: error, retryInMs: RETRY_MS }, 'cannot read the settings again');
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
