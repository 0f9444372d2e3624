import { ResponseError } from './errors.ts';
import type { PagesOptions } from './list.ts';
import type { Page } from './page.ts';

/** Page URLs that are remembered one by one; a longer loop is found by comparing with one that is further back. */
const REMEMBERED = 1000;

/** Goes through pages, from the first one on. A page URL that comes a second time is an error. */
export async function* walk<Item>(
  operation: string,
  firstPage: PromiseLike<Page<Item>>,
  firstUrl: () => string,
  { direction = 'next', maxPages = 1e15, prefetch = false }: PagesOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  const seenBefore = createLoopGuard();
  let page: Page<Item> | null = maxPages > 0 ? await firstPage : null;
  if (page) seenBefore(firstUrl());
  for (let count = 1; page; count++) {
    const { meta, nextPageUrl, previousPageUrl, [direction]: follow }: Page<Item> = page;
    const url: string | null = direction === 'next' ? nextPageUrl : previousPageUrl;
    const last = !url || count >= maxPages;
    const loops = !last && seenBefore(url);
    const ahead = prefetch && !last && !loops ? follow() : undefined;
    // Whoever stops early never looks at it.
    ahead?.catch(() => {});
    yield page;
    // Not before: the page itself is good.
    if (loops) throw new ResponseError('The list runs in a loop', meta, { operation });
    page = last ? null : await (ahead ?? follow());
  }
}

/** Tells whether a URL was seen before, in bounded memory (Brent's cycle detection beyond what it remembers). */
function createLoopGuard(): (url: string) => boolean {
  const seen = new Set<string>();
  let anchor = '';
  let count = 0;
  return (url) => {
    if (url === anchor || seen.has(url)) return true;
    count++;
    // At each power of two, the current URL becomes the one to compare with.
    if ((count & (count - 1)) === 0) anchor = url;
    seen.add(url);
    if (seen.size > REMEMBERED) for (const oldest of seen) return !seen.delete(oldest);
    return false;
  };
}
