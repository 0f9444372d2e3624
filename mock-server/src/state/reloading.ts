import { joinRuns } from '../runtime/join-runs.ts';
import type { Logger } from '../runtime/logger.ts';

const RETRY_MS = 1_000;

export function createReloading(kept: readonly { reload(): Promise<void> }[], logger: Logger) {
  let isStale = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  /** Never rejects. Reloads never overlap: otherwise, an earlier reload could end last and restore older settings. */
  const reload = joinRuns(async (): Promise<void> => {
    clearTimeout(retry);
    isStale = true;
    try {
      for (const one of kept) await one.reload();
      isStale = false;
    } catch (error) {
      if (isClosed) return;
      logger.warn({ err: error, retryInMs: RETRY_MS }, 'cannot reload the settings from the database; will retry');
      retry = setTimeout(reload, RETRY_MS);
    }
  });

  return {
    reload,
    /** Whether the settings in memory may differ from the database. */
    isStale: () => isStale,
    [Symbol.dispose](): void {
      isClosed = true;
      clearTimeout(retry);
    },
  };
}
