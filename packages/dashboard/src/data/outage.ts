import { computed, signal } from '@preact/signals';
import type { ChangesMessage } from '@svc/contract/control/types';
import { serverUrl } from '../base.ts';
import { connection, onChange, tellAll } from './live.ts';
import { createRetry } from './retry.ts';

/** The time limit of a probe. Without this limit, a probe that gets no response would prevent later probes. */
const PROBE_TIMEOUT_MS = 5_000;

export interface Caller {
  /**
   * Whether the caller is in view. A hidden caller sends no requests, so its last failure says nothing about the
   * server's current state.
   */
  isShown(): boolean;
}

/** The callers whose latest call failed because the server is unreachable, is stopping or has lost its database. */
const failing = new Set<Caller>();
const failingSince = signal<number | undefined>(undefined);

/** `since` is the real time at which the outage began. */
export const outage = computed<{ what: 'unreachable' | 'unavailable'; since: number } | undefined>(() => {
  const { value } = connection;
  if (value.state === 'lost') return { what: 'unreachable', since: value.since };
  return failingSince.value === undefined ? undefined : { what: 'unavailable', since: failingSince.value };
});

/**
 * Probes the server once for all callers. If the server is ready, all callers that are in view request their data
 * again.
 */
const retry = createRetry(async () => {
  // The stream reconnects automatically, and its first message also ends the outage.
  if (connection.peek().state === 'lost') return;
  const isReady = await fetch(`${serverUrl}/health/ready`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady) tellAll('anything');
  else retry.later();
});

/** Records that a call failed. The page then asks the caller to try again until the caller reports a response. */
export function reportUnavailable(caller: Caller): void {
  failing.add(caller);
  failingSince.value ??= Date.now();
  retry.later();
}

/** Records that a call got a response. Ends the outage if the latest calls of all other callers got responses, too. */
export function reportAvailable(caller: Caller): void {
  failing.delete(caller);
  endIfOver();
}

function endIfOver(): void {
  if (failing.size > 0) return;
  failingSince.value = undefined;
  retry.reset();
}

// Hidden callers do not request their data again, so they never report a response. To end the outage, forget these
// callers.
onChange((changed) => {
  if (changed !== 'anything') return;
  for (const caller of failing) if (!caller.isShown()) failing.delete(caller);
  endIfOver();
});

/**
 * Like `onChange`, but calls the listener with `anything` at the end of an outage. During an outage, requests would
 * fail, so only a reset is reported.
 */
export const whileAvailable = (listener: (changed: ChangesMessage | 'anything') => void): (() => void) =>
  onChange((changed) => {
    if (changed === 'anything' || changed.reset || outage.peek() === undefined) listener(changed);
  });
