import type { Call } from './call.ts';
import { UsageError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Page } from './page.ts';
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
 * A list, lazily: awaited it is its first page, iterated it is every item.
 *
 * Page URLs are followed as the service gave them, across empty pages, until there is none.
 *
 * {@includeCode ../test/documented/lists.ts#iterate}
 */
export interface List<Item> extends Call<Page<Item>>, AsyncIterable<Item> {
  /** Goes through the pages. */
  pages(options?: PagesOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /** The first items, at most `limit`, which guards the memory. */
  collect(options: { limit: number }): Promise<Item[]>;
  /** The first item, or undefined where there is none. */
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

/** Makes a list out of the call for its first page, which is at `firstUrl`. */
export function createList<Item>(operation: string, firstPage: Call<Page<Item>>, firstUrl: () => string): List<Item> {
  const pages = (options: PagesOptions = {}) => walk(operation, firstPage, firstUrl, options);
  async function* items() {
    for await (const page of pages()) yield* page.data;
  }
  async function collect(options: { limit: number }) {
    const limit = options?.limit;
    if (!(Number.isSafeInteger(limit) && limit > 0)) {
      throw new UsageError('limit has to be a whole number from 1', { operation });
    }
    const collected: Item[] = [];
    for await (const item of items()) if (collected.push(item) >= limit) break;
    return collected;
  }
  return {
    ...firstPage,
    pages,
    collect,
    first: async () => (await collect({ limit: 1 }))[0],
    [Symbol.asyncIterator]: items,
  };
}
