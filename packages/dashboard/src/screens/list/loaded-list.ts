/** A row of a list. Most lists are sorted by id, newest first. */
export interface Row {
  id: string;
}

/** A page of the list. A request to its URL reads the same part of the list again. */
interface LoadedPage<Item extends Row> {
  /** The URL of the page. Undefined for the first page. */
  url: string | undefined;
  items: readonly Item[];
}

/** The rows that were loaded. Rows on the screen never move: new rows appear only after the user asks for them. */
export interface LoadedList<Item extends Row> {
  pages: readonly LoadedPage<Item>[];
  nextPageUrl: string | null;
  /** The ids of the new rows, which appear only after the user asks for them. */
  waiting: ReadonlySet<string>;
  /** The ids of shown rows that no longer match the list's filters. */
  gone: ReadonlySet<string>;
}

export const EMPTY: LoadedList<never> = { pages: [], nextPageUrl: null, waiting: new Set(), gone: new Set() };

export const startWith = <Item extends Row>(items: readonly Item[], nextPageUrl: string | null): LoadedList<Item> => ({
  ...EMPTY,
  pages: [{ url: undefined, items }],
  nextPageUrl,
});

/** Adds a page to the list. Skips rows that an earlier page already contains. */
export function append<Item extends Row>(
  list: LoadedList<Item>,
  items: readonly Item[],
  nextPageUrl: string | null,
): LoadedList<Item> {
  const known = new Set(rowsOf(list).map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  return { ...list, pages: [...list.pages, { url: list.nextPageUrl ?? undefined, items: added }], nextPageUrl };
}

/** Updates a page of the list: rows change in place, new rows wait, and removed rows are marked. */
export function refresh<Item extends Row>(
  list: LoadedList<Item>,
  url: string | undefined,
  items: readonly Item[],
): LoadedList<Item> {
  const fresh = new Map(items.map((item) => [item.id, item]));
  const shown = new Set(rowsOf(list).map(({ id }) => id));
  const lowest = items.at(-1)?.id;
  const gone = new Set(list.gone);
  const pages = list.pages.map((page) => {
    const changed = page.items.map((item) => fresh.get(item.id) ?? item);
    for (const { id } of page.items) {
      if (fresh.has(id)) gone.delete(id);
      // If a missing row belongs below the page's new last row, the row may have moved to the next page.
      else if (page.url === url && (lowest === undefined || id > lowest)) gone.add(id);
    }
    return { ...page, items: changed };
  });
  const waiting = new Set(list.waiting);
  const last = rowsOf(list).at(-1)?.id ?? '';
  for (const { id } of items) if (!shown.has(id) && (id > last || list.nextPageUrl === null)) waiting.add(id);
  return { ...list, pages, waiting, gone };
}

export const rowsOf = <Item extends Row>(list: LoadedList<Item>): readonly Item[] =>
  list.pages.length === 1 ? (list.pages[0]?.items ?? []) : list.pages.flatMap(({ items }) => items);

/** Returns the URLs of at most `max` pages that contain the rows `from` to `to`. */
export function pagesOf<Item extends Row>(
  list: LoadedList<Item>,
  from: number,
  to: number,
  max: number,
): (string | undefined)[] {
  let start = 0;
  const found: (string | undefined)[] = [];
  for (const { url, items } of list.pages) {
    if (start < to && start + items.length > from) found.push(url);
    start += items.length;
  }
  return found.slice(0, max);
}
