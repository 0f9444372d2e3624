import type { ChangesMessage } from '@svc/contract/control';

/** The changes since the last `take`. A list of ids is null if there are too many ids. */
interface ChangesSoFar extends Omit<ChangesMessage, 'clock'> {
  clock?: true;
}

export interface Changed extends Omit<ChangesSoFar, 'deliveries' | 'endpoints'> {
  deliveries?: readonly string[] | 'many';
  endpoints?: readonly string[] | 'many';
}

export type ChangeStream = Omit<ReturnType<typeof createChangeStream>, typeof Symbol.dispose>;

const IDS_MAX = 100;
/** How often the server reports that other nodes may have changed a shared database. */
const ELSEWHERE_INTERVAL_MS = 1_000;
const ANYTHING: Required<Omit<Changed, 'requests' | 'reset'>> = {
  deliveries: 'many',
  endpoints: 'many',
  events: 0,
  faults: true,
  tenants: true,
  notifications: 0,
  lifecycle: true,
  clock: true,
};

/**
 * Passes changes on to listeners. A listener receives only the changes after its own call to `listen`.
 *
 * @param shared - Whether other nodes write to the same database.
 */
export function createChangeStream(shared: boolean) {
  const listeners = new Set<ChangeListener>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function mark(changed: Changed): void {
    for (const listener of listeners) listener.add(changed);
  }

  function close(): void {
    isClosed = true;
    for (const listener of listeners) listener.close();
  }

  return {
    mark,
    listen() {
      const listener = createListener();
      if (isClosed) listener.close();
      if (shared && listeners.size === 0) timer = setInterval(() => mark(ANYTHING), ELSEWHERE_INTERVAL_MS).unref();
      listeners.add(listener);
      return {
        ...listener,
        [Symbol.dispose](): void {
          listener.close();
          listeners.delete(listener);
          if (listeners.size === 0) clearInterval(timer);
        },
      };
    },
    close,
    [Symbol.dispose]: close,
  };
}

type ChangeListener = ReturnType<typeof createListener>;

function createListener() {
  let soFar: ChangesSoFar | undefined;
  let isClosed = false;
  let wake = () => {};
  return {
    add(changed: Changed): void {
      soFar = merge(soFar ?? {}, changed);
      wake();
    },
    close(): void {
      isClosed = true;
      wake();
    },
    /** Resolves to true once there is a change, and to false when no further changes will follow. */
    async wait(): Promise<boolean> {
      while (!soFar && !isClosed) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      return !isClosed;
    },
    take(): ChangesSoFar {
      const taken = soFar ?? {};
      soFar = undefined;
      return taken;
    },
  };
}

function merge(soFar: ChangesSoFar, { deliveries, endpoints, events, requests, notifications, ...flags }: Changed) {
  Object.assign(soFar, flags);
  if (deliveries) {
    soFar.deliveries ??= { ids: [], count: 0 };
    soFar.deliveries.ids = withIds(soFar.deliveries.ids, deliveries);
    if (deliveries !== 'many') soFar.deliveries.count += deliveries.length;
  }
  if (endpoints) soFar.endpoints = withIds(soFar.endpoints === undefined ? [] : soFar.endpoints, endpoints);
  if (events !== undefined) soFar.events = (soFar.events ?? 0) + events;
  if (requests !== undefined) soFar.requests = (soFar.requests ?? 0) + requests;
  if (notifications !== undefined) soFar.notifications = (soFar.notifications ?? 0) + notifications;
  return soFar;
}

function withIds(known: string[] | null, added: readonly string[] | 'many'): string[] | null {
  if (known === null || added === 'many' || known.length + added.length > 2 * IDS_MAX) return null;
  for (const id of added) if (!known.includes(id)) known.push(id);
  return known.length > IDS_MAX ? null : known;
}
