import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { whileAvailable } from '../../data/outage.ts';
import { type Concerns, isConcerned } from '../../data/query.ts';
import { createPace } from '../../data/refresh-interval.ts';
import { append, EMPTY, type LoadedList, pagesOf, type Row, refresh, rowsOf, startWith } from './loaded-list.ts';
import { useReads } from './use-reads.ts';

interface ReadPage<Item> {
  data: Item[];
  nextPageUrl: string | null;
}

export interface ListSource<Item extends Row> {
  first(): PromiseLike<ReadPage<Item>>;
  at(url: string): PromiseLike<ReadPage<Item>>;
  /**
   * The changes after which the list reads its rows again. Pass `nothing` if the list is not sorted by id, because the
   * list compares ids to find new rows.
   */
  concerns: Concerns | 'nothing';
}

/** After a change, the list requests its first page and at most this many of the pages in view. */
const REFRESHED_PAGES_MAX = 2;

export interface FollowedList<Item extends Row> {
  list: LoadedList<Item>;
  rows: readonly Item[];
  isLoading: boolean;
  error: unknown;
  isStale: boolean;
  more(): void;
  /** Loads the list again from the top. */
  restart(): void;
  /** Call this function when the rows in view change. */
  see(from: number, to: number): void;
}

/** Loads a list page by page. When the key changes, the list is loaded again from its top. */
export function useList<Item extends Row>(key: string, source: ListSource<Item>, follows: boolean): FollowedList<Item> {
  const [list, setList] = useState<LoadedList<Item>>(EMPTY);
  const current = useRef({ source, follows, list, view: [0, 50] as [number, number] });
  Object.assign(current.current, { source, follows, list });
  const hasPages = useCallback(() => current.current.list.pages.length > 0, []);
  const { isLoading, error, isStale, attempt, begin, end } = useReads(hasPages);

  /** Reads pages until a page has rows: with several filters, a page may be empty although the list continues. */
  const readOn = useCallback(async (from: string | null, isCurrent: () => boolean) => {
    let url = from;
    while (url !== null) {
      const page: ReadPage<Item> = await current.current.source.at(url);
      if (!isCurrent()) return;
      setList((known) => append(known, page.data, page.nextPageUrl));
      url = page.data.length === 0 ? page.nextPageUrl : null;
    }
  }, []);

  const start = useCallback(
    async (first: ReadPage<Item>, isCurrent: () => boolean) => {
      setList(startWith(first.data, first.nextPageUrl));
      if (first.data.length === 0) await readOn(first.nextPageUrl, isCurrent);
    },
    [readOn],
  );

  const restart = useCallback(
    () =>
      attempt(async (isCurrent) => {
        const first = await current.current.source.first();
        if (isCurrent()) await start(first, isCurrent);
      }),
    [attempt, start],
  );

  const more = useCallback(() => {
    const { nextPageUrl } = current.current.list;
    if (nextPageUrl === null) return;
    void attempt((isCurrent) => readOn(nextPageUrl, isCurrent));
  }, [attempt, readOn]);

  const look = useCallback(
    () =>
      attempt(async (isCurrent) => {
        const { source: from, view, follows: followsNow } = current.current;
        const first = await from.first();
        if (!isCurrent()) return;
        // If the list is empty or follows new rows, show the new rows at once. In other lists, no row may move under
        // the pointer.
        if (followsNow || rowsOf(current.current.list).length === 0) return await start(first, isCurrent);
        setList((known) => refresh(known, undefined, first.data));
        for (const url of pagesOf(current.current.list, ...view, REFRESHED_PAGES_MAX)) {
          if (url === undefined) continue;
          const page = await from.at(url);
          if (isCurrent()) setList((known) => refresh(known, url, page.data));
        }
      }),
    [attempt, start],
  );

  useEffect(() => {
    begin();
    setList(EMPTY);
    void restart();
    const stop = lookAfterChanges(look, () => current.current.source.concerns);
    return () => {
      stop();
      end();
    };
  }, [key, restart, look, begin, end]);

  return {
    list,
    rows: rowsOf(list),
    isLoading: isLoading && rowsOf(list).length === 0,
    error,
    isStale,
    more,
    restart,
    see: (from, to) => {
      current.current.view = [from, to];
    },
  };
}

/** Calls `look` after each change that concerns the list. Returns a function that stops these calls. */
function lookAfterChanges(look: () => Promise<void>, concernsNow: () => Concerns | 'nothing'): () => void {
  let lookedAt = 0;
  const lookNow = () => {
    lookedAt = Date.now();
    void look();
  };
  const pace = createPace(lookNow, () => lookedAt);
  const stop = whileAvailable((changed) => {
    const concerns = concernsNow();
    if (concerns !== 'nothing' && (changed === 'anything' || isConcerned(concerns, changed))) pace.ask(changed);
  });
  return () => {
    pace.stop();
    stop();
  };
}
