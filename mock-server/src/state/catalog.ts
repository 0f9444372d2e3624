import { EVENT_CATALOG, type EventTypeItem } from '@svc/contract';
import type { Storage } from '../storage/port.ts';
import { listAddedEventTypes } from '../storage/statements/events.ts';

export type Catalog = Awaited<ReturnType<typeof loadCatalog>>;

/** Loads the published event types and the event types that a seed has added, sorted by type. */
export async function loadCatalog(storage: Storage) {
  let items: readonly EventTypeItem[] = [];
  const reload = async () => {
    const added = await storage.read(listAddedEventTypes);
    const byType = new Map([...EVENT_CATALOG, ...added].map((item) => [item.type, { ...item }]));
    items = [...byType.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
  };
  await reload();
  return { list: () => items, types: () => items.map((item) => item.type), reload };
}
