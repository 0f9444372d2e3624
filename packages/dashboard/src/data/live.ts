import { signal } from '@preact/signals';
import type { ChangesMessage, HelloMessage, StreamClock } from '@svc/mock-server/control';

/** What a tab that reads the stream tells the others. */
export type LiveMessage =
  | { kind: 'hello'; hello: HelloMessage }
  | { kind: 'changed'; changed: ChangesMessage }
  | { kind: 'lost' }
  /** A tab that has just opened asks for the latest `hello`. */
  | { kind: 'who' };

/** Whether the server answers. */
export type Connection = { state: 'connecting' | 'connected' } | { state: 'lost'; since: number };

export const connection = signal<Connection>({ state: 'connecting' });

/** The clock as the server told it last, and when, on this page's monotonic clock. */
export const serverClock = signal<(StreamClock & { at: number }) | undefined>(undefined);

/** The server's version and process when this page was opened. */
export const firstHello = signal<HelloMessage | undefined>(undefined);
/** The server was replaced by another version: the page's files may be gone. */
export const isOutdated = signal(false);
/** Counts resets, so that screens begin again. */
export const resets = signal(0);

type Listener = (changed: ChangesMessage | 'anything') => void;
const listeners = new Set<Listener>();

/** Hears what may have changed; `anything` after the connection was lost. Returns a function that ends it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellAll(changed: ChangesMessage | 'anything'): void {
  for (const listener of listeners) listener(changed);
}

/** Takes over what the stream says, whether this tab reads it or another. */
export function receive(message: LiveMessage): void {
  if (message.kind === 'hello') {
    const { hello } = message;
    setClock(hello.clock);
    firstHello.value ??= hello;
    isOutdated.value = firstHello.value.version !== hello.version;
    connection.value = { state: 'connected' };
    tellAll('anything');
  } else if (message.kind === 'changed') {
    if (message.changed.clock) setClock(message.changed.clock);
    if (message.changed.reset) resets.value++;
    tellAll(message.changed);
  } else if (message.kind === 'lost' && connection.value.state !== 'lost') {
    connection.value = { state: 'lost', since: Date.now() };
  }
}

function setClock(clock: StreamClock): void {
  serverClock.value = { ...clock, at: performance.now() };
}
