import { signal } from '@preact/signals';
import type { ChangesMessage, HelloMessage, StreamClock } from '@svc/contract/control/types';

/** A message about the stream, sent by one tab to the other tabs. */
export type LiveMessage =
  | { kind: 'hello'; hello: HelloMessage }
  | { kind: 'changed'; changed: ChangesMessage }
  | { kind: 'lost' }
  /** A tab that has just opened asks the other tabs for the latest `hello` message. */
  | { kind: 'who' };

export type Connection = { state: 'connecting' | 'connected' } | { state: 'lost'; since: number };

export const connection = signal<Connection>({ state: 'connecting' });

/** The server's clock. `at` is the time at which the page received this state, by the page's monotonic clock. */
export const serverClock = signal<(StreamClock & { at: number }) | undefined>(undefined);

let firstVersion: string | undefined;
/**
 * Whether the server's version has changed since the page connected. A new version may lack files that this page has
 * yet to load.
 */
export const isOutdated = signal(false);
/**
 * The number of resets that the page has noticed. After each reset, the page drops its data and opens its start screen.
 */
export const resets = signal(0);
/** The id of the data that this page shows. Empty until the server has sent the id. */
let dataId = '';

type Listener = (changed: ChangesMessage | 'anything') => void;
const listeners = new Set<Listener>();

/**
 * Calls the listener with each change. `query.ts` decides what the page reads again. `anything` means that the page may
 * have missed changes. Returns a function that removes the listener.
 */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellAll(changed: ChangesMessage | 'anything'): void {
  for (const listener of listeners) listener(changed);
}

export function receive(message: LiveMessage): void {
  if (message.kind === 'hello') {
    const { hello } = message;
    setClock(hello.clock);
    firstVersion ??= hello.version;
    isOutdated.value = firstVersion !== hello.version;
    connection.value = { state: 'connected' };
    // If the id differs, the data was replaced while this page received no messages, for example in a hidden tab.
    if (dataId && dataId !== hello.dataId) resets.value++;
    dataId = hello.dataId;
    tellAll('anything');
  } else if (message.kind === 'changed') {
    if (message.changed.clock) setClock(message.changed.clock);
    if (message.changed.reset) {
      resets.value++;
      dataId = '';
    }
    tellAll(message.changed);
  } else if (message.kind === 'lost' && connection.value.state !== 'lost') {
    connection.value = { state: 'lost', since: Date.now() };
  }
}

function setClock(clock: StreamClock): void {
  serverClock.value = { ...clock, at: performance.now() };
}
