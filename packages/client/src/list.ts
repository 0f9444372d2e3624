import type { Call } from './call.ts';
import { check } from './check.ts';
import { checkNames } from './names.ts';
import type { CallOptions } from './options.ts';
import type { Page } from './page.ts';
import type { PagesOptions } from './pages-options.ts';
import type { ListParams } from './params.ts';
import { walk } from './walk.ts';

/**
 * A list. Await the list to get its first page, or iterate over it to get every item. Until then, no request is sent.
 *
 * An awaited list requests a page of 20 items, the service's default. Iteration requests pages of 100 items, to save
 * requests. A `limit` in the list's parameters sets the page size for every use of the list, including `collect` and
 * `first`. Iteration follows each page URL unchanged until the last page, even across empty pages.
 *
 * {@includeCode ../test/documented/lists.ts#iterate}
 */
export interface List<Item> extends Call<Page<Item>>, AsyncIterable<Item> {
  /** Iterates over the pages. Each page has up to 100 items. */
  pages(options?: PagesOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Returns the first `limit` items, or fewer if the list ends sooner. The limit is required, so that memory use stays
   * bounded. Each requested page has `limit` items, at most 100.
   */
  collect(options: { limit: number }): Promise<Item[]>;
  /**
   * Returns the first item, or undefined if the list is empty. Requests only one item, unless the list's parameters
   * have a `limit`.
   */
  first(): Promise<Item | undefined>;
}

/**
 * An operation that returns a list. `Args` are the operation's parameters.
 *
 * {@includeCode ../test/documented/lists.ts#resume}
 */
export interface ListOperation<Item, Args extends unknown[] = [params?: ListParams, options?: CallOptions]> {
  (...args: Args): List<Item>;
  /**
   * Continues from a stored page URL. If the URL belongs to another list or another origin, using the returned list
   * throws a {@link UsageError}.
   */
  resume(url: string, options?: CallOptions): List<Item>;
}

/**
 * Creates a list. `firstPage` requests the first page, with `size` items unless the caller passed a limit.
 */
export function createList<Item>(operation: string, firstPage: (size?: number) => Call<Page<Item>>): List<Item> {
  // The maximum page size in the service document, section "Limits".
  const longestPage = 100;
  const pages = (options: PagesOptions = {}, size = longestPage) => walk(firstPage(size), options);
  async function* items(size?: number) {
    for await (const page of pages({}, size)) yield* page.data;
  }
  async function collect(options: { limit: number }) {
    checkNames(options, { limit: 1 }, 'option');
    const limit = options?.limit;
    check(limit > 0 && limit % 1 === 0, 'limit must be a positive integer', { operation });
    const collected: Item[] = [];
    for await (const item of items(Math.min(longestPage, limit))) {
      collected.push(item);
      if (collected.length >= limit) break;
    }
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
