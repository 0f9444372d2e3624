import { checkNumber } from './check.ts';
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
  let { direction = 'next', maxPages = Infinity, prefetch } = options;
  checkNames({ [direction]: 1 }, { next: 1, previous: 1 }, 'direction');
  checkNumber('maxPages', maxPages);
  let page: Page<Item> | null | false = maxPages > 0 && (await firstPage);
  while (page) {
    const hasMore: boolean = --maxPages > 0;
    const ahead: Promise<Page<Item> | null> | false | undefined = hasMore && prefetch && page[direction]();
    // If the caller stops early, nobody awaits this page, so ignore its error.
    if (ahead) ahead.catch(() => {});
    yield page;
    page = hasMore && (await (ahead || page[direction]()));
  }
}
