import { setTimeout as sleep } from 'node:timers/promises';

/** Yields after each interval, until the signal aborts. An interval begins when the loop asks for the next value. */
export async function* every(intervalMs: number, signal: AbortSignal): AsyncGenerator<void> {
  for (;;) {
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    yield;
  }
}
