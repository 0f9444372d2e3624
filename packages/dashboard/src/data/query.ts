import { type Signal, signal } from '@preact/signals';
import type { ChangesMessage } from '@svc/contract/control/types';
import { useEffect, useState } from 'preact/hooks';
import { resets } from './live.ts';
import { type Caller, reportAvailable, reportUnavailable, whileAvailable } from './outage.ts';
import { createPace, type Pace } from './refresh-interval.ts';
import { isUnavailable } from './server-error.ts';

/** `data` is the last response, and is kept while the server does not respond. */
interface QueryState<Data> {
  data: Data | undefined;
  error: unknown;
  /** The real time at which `data` was read. Present only if `data` may be out of date. */
  staleSince: number | undefined;
}

export interface Query<Data> extends QueryState<Data> {
  /** Whether the data was read after this view was opened. */
  isChecked: boolean;
  reload(): Promise<void>;
}

/** The changes that affect a query: all changes of the listed kinds, or the changes that a function selects. */
export type Concerns = readonly (keyof ChangesMessage)[] | ((changed: ChangesMessage) => boolean);

export const isConcerned = (concerns: Concerns, changed: ChangesMessage): boolean =>
  typeof concerns === 'function' ? concerns(changed) : concerns.some((kind) => changed[kind] !== undefined);

const KEPT_MAX = 200;

interface Entry extends Caller {
  state: Signal<QueryState<unknown>>;
  load: () => Promise<unknown>;
  readAt: number;
  running: Promise<void> | undefined;
  again: boolean;
  pace: Pace;
  views: number;
}

const entries = new Map<string, Entry>();

function entryOf(key: string, load: Entry['load']): Entry {
  const known = entries.get(key);
  if (known) {
    known.load = load;
    return known;
  }
  const state = signal<QueryState<unknown>>({ data: undefined, error: undefined, staleSince: undefined });
  const pace = createPace(
    () => void (entry.views > 0 && run(entry)),
    () => entry.readAt,
  );
  const entry: Entry = {
    state,
    load,
    readAt: 0,
    running: undefined,
    again: false,
    pace,
    views: 0,
    isShown: () => entry.views > 0,
  };
  entries.set(key, entry);
  forgetOldest();
  return entry;
}

function forgetOldest(): void {
  if (entries.size <= KEPT_MAX) return;
  for (const [key, { views }] of entries) {
    if (views > 0) continue;
    entries.delete(key);
    return;
  }
}

async function run(entry: Entry): Promise<void> {
  if (entry.running) {
    entry.again = true;
    return await entry.running;
  }
  entry.running = ask(entry).finally(() => {
    entry.running = undefined;
  });
  await entry.running;
  if (!entry.again) return;
  entry.again = false;
  if (entry.views > 0) entry.pace.ask();
}

async function ask(entry: Entry): Promise<void> {
  try {
    const data = await entry.load();
    entry.readAt = Date.now();
    reportAvailable(entry);
    entry.state.value = { data, error: undefined, staleSince: undefined };
  } catch (error) {
    if (!isUnavailable(error)) {
      reportAvailable(entry);
      entry.state.value = { data: undefined, error, staleSince: undefined };
      return;
    }
    reportUnavailable(entry);
    const { data } = entry.state.peek();
    // Without data, the view still counts as loading, and the banner shows why.
    entry.state.value = { data, error: undefined, staleSince: data === undefined ? undefined : entry.readAt };
  }
}

/** Requests the data again when a change affects the query. Without a key, nothing is requested. */
export function useQuery<Data>(
  key: string | undefined,
  load: () => Promise<Data>,
  concerns: Concerns = [],
): Query<Data> {
  const entry = entryOf(key ?? '', load);
  const [shownAt] = useState(() => Date.now());
  useEffect(() => {
    if (!key) return;
    entry.views++;
    // The view shows stored data immediately. Read the data again, because the stored data may be out of date.
    void run(entry);
    const end = whileAvailable((changed) => {
      if (changed === 'anything' || changed.reset || isConcerned(concerns, changed)) entry.pace.ask(changed);
    });
    return () => {
      entry.views--;
      end();
    };
  }, [key, entry]);
  const state = entry.state.value as QueryState<Data>;
  return { ...state, isChecked: entry.readAt >= shownAt, reload: () => run(entry) };
}

/** Drops all stored data. Call this function after the server's data was deleted. */
function forgetAll(): void {
  for (const [key, entry] of entries) {
    if (entry.views === 0) entries.delete(key);
    else entry.state.value = { data: undefined, error: undefined, staleSince: undefined };
  }
}

resets.subscribe((count) => {
  if (count > 0) forgetAll();
});
