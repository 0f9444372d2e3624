import { computed, signal } from '@preact/signals';
import { serverClock } from './live.ts';

/** A counter that increases once a second while the page is visible. */
const tick = signal(0);

let timer: ReturnType<typeof setInterval> | undefined;

function runWhileVisible(): void {
  clearInterval(timer);
  if (document.hidden) return;
  tick.value++;
  timer = setInterval(() => tick.value++, 1_000);
}

document.addEventListener('visibilitychange', runWhileVisible);
runWhileVisible();

/** Returns the virtual time in milliseconds, or 0 until the server has sent it. */
export function virtualNow(): number {
  const clock = serverClock.peek();
  if (!clock) return 0;
  const at = Date.parse(clock.now);
  return clock.frozen || clock.moving ? at : at + performance.now() - clock.at;
}

/**
 * The virtual time that components show. Changes once a second while the clock runs, and with each message about the
 * clock.
 */
export const now = computed(() => {
  const clock = serverClock.value;
  if (clock && !clock.frozen && !clock.moving) tick.value;
  return virtualNow();
});

/** The real time that components show. Changes once a second while the page is visible. */
export const realNow = computed(() => {
  tick.value;
  return Date.now();
});
