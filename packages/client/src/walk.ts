import { check } from './check.ts';
import { checkNames, type Names } from './names.ts';
import type { Page } from './page.ts';
import type { PagesOptions } from './pages-options.ts';

const PAGES_OPTIONS: Names<keyof PagesOptions> = { direction: 1, maxPages: 1, prefetch: 1 };

/** Iterates over pages, starting with `firstPage`. */
export async function* walk<Item>(
  firstPage: PromiseLike<Page<Item>>,
  options: PagesOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  checkNames(options, PAGES_OPTIONS, 'option');
  const { direction = 'next', maxPages = Infinity, prefetch } = options;
  checkNames({ [direction]: 1 }, { next: 1, previous: 1 }, 'direction');
  check(maxPages >= 0, 'maxPages must be a number, 0 or more');
  let page: Page<Item> | null = maxPages ? await firstPage : null;
  for (let count = 1; page; count++) {
    const hasMore: boolean = count < maxPages;
    const ahead = hasMore && prefetch ? page[direction]() : null;
    // If the caller stops early, nobody awaits this page, so ignore its error.
    ahead?.catch(() => {});
    yield page;
    page = hasMore ? await (ahead ?? page[direction]()) : null;
  }
}
