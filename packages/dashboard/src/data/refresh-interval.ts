import type { ChangesMessage } from '@svc/contract/control/types';

const INTERVAL_MS = 1_000;
/**
 * The interval between requests while a lot of data changes. Nobody can read a list that changes hundreds of times a
 * second, and every request takes time on the server.
 */
const BUSY_INTERVAL_MS = 4_000;
/**
 * If a message reports more changed deliveries than this number, the page uses the longer interval. The server sends at
 * most four messages a second.
 */
const BUSY_COUNT = 100;

export interface Pace {
  /** Requests the data as soon as enough time has passed since `lastAt()`. */
  ask(changed?: ChangesMessage | 'anything'): void;
  stop(): void;
}

/** Limits how often `ask` is called. `lastAt` returns the real time of the last request or response. */
export function createPace(ask: () => void, lastAt: () => number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerDueAt = 0;
  return {
    ask(changed) {
      // Check the count of deliveries, not their ids: the message contains no ids if another node has written the data.
      const isBusy = changed !== undefined && changed !== 'anything' && (changed.deliveries?.count ?? 0) > BUSY_COUNT;
      const dueAt = lastAt() + (isBusy ? BUSY_INTERVAL_MS : INTERVAL_MS);
      if (timer && timerDueAt <= dueAt) return;
      clearTimeout(timer);
      timerDueAt = dueAt;
      timer = setTimeout(
        () => {
          timer = undefined;
          ask();
        },
        Math.max(0, dueAt - Date.now()),
      );
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
