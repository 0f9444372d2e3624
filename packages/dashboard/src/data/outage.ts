import { computed, signal } from '@preact/signals';
import type { ChangesMessage } from '@svc/contract/control/types';
import { serverUrl } from '../base.ts';
import { connection, onChange, tellAll } from './live.ts';
import { createRetry } from './retry.ts';

/** A probe that gets no response must not end the probing. */
const PROBE_TIMEOUT_MS = 5_000;

/** Something that asks the server for what it shows, such as a query. */
export interface Caller {
  /** A hidden caller requests nothing, so its failure says nothing about the server. */
  isShown(): boolean;
}

/** Callers whose latest call failed because the server is unreachable, stopping or without its database. */
const failing = new Set<Caller>();
/** Since when one of them has failed, on the real clock. */
const failingSince = signal<number | undefined>(undefined);

/** What is wrong with the server, and since when. */
export const outage = computed<{ what: 'unreachable' | 'unavailable'; since: number } | undefined>(() => {
  const { value } = connection;
  if (value.state === 'lost') return { what: 'unreachable', since: value.since };
  return failingSince.value === undefined ? undefined : { what: 'unavailable', since: failingSince.value };
});

/** One request asks for the whole page whether the server responds. Only then is everything in view requested again. */
const retry = createRetry(async () => {
  // The stream reconnects automatically, and its first message has the same effect.
  if (connection.peek().state === 'lost') return;
  const isReady = await fetch(`${serverUrl}/health/ready`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady) tellAll('anything');
  else retry.later();
});

/** Reports a failure that may be temporary. The caller is asked to try again until it reports that it can. */
export function reportUnavailable(caller: Caller): void {
  failing.add(caller);
  failingSince.value ??= Date.now();
  retry.later();
}

/** Reports a response to a caller. The outage lasts until no other caller waits for one. */
export function reportAvailable(caller: Caller): void {
  failing.delete(caller);
  endIfOver();
}

function endIfOver(): void {
  if (failing.size > 0) return;
  failingSince.value = undefined;
  retry.reset();
}

// Everything in view is requested again. Hidden callers request nothing, so they must not prolong the outage.
onChange((changed) => {
  if (changed !== 'anything') return;
  for (const caller of failing) if (!caller.isShown()) failing.delete(caller);
  endIfOver();
});

/**
 * Calls `listener` with what may have changed, and with `anything` at the end of an outage. Says nothing during an
 * outage, because a request would fail. Returns a function that stops it.
 */
export const whileAvailable = (listener: (changed: ChangesMessage | 'anything') => void): (() => void) =>
  onChange((changed) => {
    if (changed === 'anything' || changed.reset || outage.peek() === undefined) listener(changed);
  });
