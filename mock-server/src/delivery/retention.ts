import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { removeOldDeliveries } from '../storage/statements/remove-old-deliveries.ts';

/** Rows of each table that one step removes. */
const STEP_ROWS = 200;
/** Between two steps while there is more to remove, and between two looks otherwise. */
const STEP_INTERVAL_MS = 50;
const LOOK_INTERVAL_MS = 60_000;

/** What retention works with. */
export interface RetentionOptions {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** How long deliveries and events are kept, on the virtual clock. */
  retentionMs: number;
}

/** Retention, running. */
export interface Retention extends AsyncDisposable {
  /** Looks now, and not only when its minute is over. */
  look(): void;
}

/** Removes what is older than the retention time, in small steps with pauses between them, so that nothing waits for it. */
export function startRetention({ storage, clock, logger, retentionMs }: RetentionOptions): Retention {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let lookAgain = false;

  async function step(): Promise<void> {
    let waitMs = LOOK_INTERVAL_MS;
    try {
      const more = await storage.write((queries) => removeOldDeliveries(queries, clock.now() - retentionMs, STEP_ROWS));
      if (more) waitMs = STEP_INTERVAL_MS;
    } catch (error) {
      logger.error({ err: error }, 'old deliveries cannot be removed');
    }
    current = undefined;
    if (!isClosed) timer = setTimeout(look, lookAgain ? 0 : waitMs);
    lookAgain = false;
  }

  function look(): void {
    clearTimeout(timer);
    lookAgain = current !== undefined;
    current ??= step();
  }
  look();

  return {
    look,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(timer);
      await current;
    },
  };
}
