import type { Call } from './call.ts';
import { check } from './check.ts';
import type { CallOptions } from './options.ts';
import type { Following, Page } from './page.ts';
import type { ListParams } from './params.ts';
import { walk } from './walk.ts';

/**
 * How to go through pages.
 *
 * {@includeCode ../test/documented/lists.ts#pages}
 */
export interface PagesOptions {
  /** `next` unless given. */
  direction?: 'next' | 'previous' | undefined;
  /** Ends after so many pages. */
  maxPages?: number | undefined;
  /** Asks for the next page while the last one is worked on. */
  prefetch?: boolean | undefined;
}

/**
 * A list. Await it for its first page, or iterate over it for every item. Nothing is sent before that.
 *
 * An awaited list requests a page of 20 items, the service's default. Iteration requests pages of 100, to make few
 * requests. A `limit` in the list's parameters replaces both. Page URLs are followed unchanged, across empty pages,
 * until there is none.
 *
 * {@includeCode ../test/documented/lists.ts#iterate}
 */
export interface List<Item> extends Call<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages, of 100 items each. */
  pages(options?: PagesOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /** The first items, at most `limit`, which guards the memory. Requests pages of that many items, at most 100. */
  collect(options: { limit: number }): Promise<Item[]>;
  /** The first item, or undefined if there is none. Requests one item. */
  first(): Promise<Item | undefined>;
}

/**
 * An operation that lists; `Args` are what it takes.
 *
 * {@includeCode ../test/documented/lists.ts#resume}
 */
export interface ListOperation<Item, Args extends unknown[] = [params?: ListParams, options?: CallOptions]> {
  (...args: Args): List<Item>;
  /** Goes on from a page URL that was kept. One that is not of this list and of the service's origin is a {@link UsageError} on use. */
  resume(url: string, options?: CallOptions): List<Item>;
}

/** Makes a list. `firstPage` is the call for its first page, of `size` items if the caller gave no limit. `firstUrl` is where that page is. */
export function createList<Item>(
  operation: string,
  firstPage: (size?: number) => Call<Page<Item>>,
  firstUrl: (size?: number) => string,
  follow: Following<Item>,
): List<Item> {
  // Service document, "Limits".
  const longestPage = 100;
  const pages = (options: PagesOptions = {}, size = longestPage) =>
    walk(firstPage(size), () => firstUrl(size), follow, options);
  async function* items(size?: number) {
    for await (const page of pages({}, size)) yield* page.data;
  }
  async function collect(options: { limit: number }) {
    const limit = options?.limit;
    check(limit > 0 && limit % 1 === 0, 'limit must be a positive integer', { operation });
    const collected: Item[] = [];
    for await (const item of items(Math.min(longestPage, limit))) if (collected.push(item) >= limit) break;
    return collected;
  }
  return {
    ...firstPage(),
    pages,
    collect,
    first: async () => (await collect({ limit: 1 }))[0],
    [Symbol.asyncIterator]: items,
  };
}
