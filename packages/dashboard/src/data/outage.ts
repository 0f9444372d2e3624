import { computed, signal } from '@preact/signals';
import { connection, tellAll } from './live.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Since when calls fail because the server is unreachable, stopping or without its database; on the real clock. */
const failingSince = signal<number | undefined>(undefined);
let waitMs = FIRST_WAIT_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What is wrong with the server, and since when. */
export const outage = computed<{ what: 'unreachable' | 'unavailable'; since: number } | undefined>(() => {
  const { value } = connection;
  if (value.state === 'lost') return { what: 'unreachable', since: value.since };
  return failingSince.value === undefined ? undefined : { what: 'unavailable', since: failingSince.value };
});

/** Reports a failure that may be temporary. Everything in view is asked for again, less and less often. */
export function reportUnavailable(): void {
  failingSince.value ??= Date.now();
  if (timer) return;
  timer = setTimeout(() => {
    timer = undefined;
    tellAll('anything');
  }, waitMs);
  waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
}

/** Reports a call that succeeded. */
export function reportAvailable(): void {
  failingSince.value = undefined;
  waitMs = FIRST_WAIT_MS;
}
