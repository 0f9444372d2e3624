import { check } from './check.ts';
import { checkNames, type Names } from './names.ts';
import type { Following, Page } from './page.ts';
import type { PagesOptions } from './pages-options.ts';

const PAGES_OPTIONS: Names<keyof PagesOptions> = { direction: 1, maxPages: 1, prefetch: 1 };

/** Iterates over pages, starting with `firstPage`. `follow` throws if a page URL repeats. */
export async function* walk<Item>(
  firstPage: PromiseLike<Page<Item>>,
  firstUrl: () => string,
  follow: Following<Item>,
  options: PagesOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  checkNames(options, PAGES_OPTIONS, 'option');
  const { direction = 'next', maxPages = Infinity, prefetch } = options;
  checkNames({ [direction]: 1 }, { next: 1, previous: 1 }, 'direction');
  check(maxPages >= 0, 'maxPages must be 0 or more');
  const isSeen = createLoopGuard();
  let page: Page<Item> | null = maxPages > 0 ? await firstPage : null;
  isSeen(firstUrl());
  for (let count = 1; page; count++) {
    const url: string | null = count < maxPages ? page[`${direction}PageUrl`] : null;
    const ahead = prefetch ? follow(page, url, isSeen) : undefined;
    // If the caller stops early, nobody awaits this page, so ignore its error.
    ahead?.catch(() => {});
    yield page;
    page = await (ahead ?? follow(page, url, isSeen));
  }
}

/**
 * Returns a function that says whether it has seen a URL before. After 1000 URLs, the function may recognize a loop
 * only after a few rounds of the loop.
 */
function createLoopGuard(): (url: string) => boolean {
  // To limit memory use, remember each of the first 1000 URLs, but only some of the later URLs.
  const remembered = 1000;
  const seen = new Set<string>();
  let previous = '';
  let count = 0;
  return (url) => {
    if (url === previous || seen.has(url)) return true;
    previous = url;
    // To find every loop, remember the later URLs whose numbers are powers of two (Brent's cycle detection).
    if (++count <= remembered || !(count & (count - 1))) seen.add(url);
    return false;
  };
}
