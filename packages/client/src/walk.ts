import type { PagesOptions } from './list.ts';
import type { Following, Page } from './page.ts';

/** Goes through pages, from the first one on. A page URL that comes a second time is an error. */
export async function* walk<Item>(
  firstPage: PromiseLike<Page<Item>>,
  firstUrl: () => string,
  follow: Following<Item>,
  { direction = 'next', maxPages = 1e15, prefetch }: PagesOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  const isSeen = createLoopGuard();
  let page: Page<Item> | null = maxPages > 0 ? await firstPage : null;
  if (page) isSeen(firstUrl());
  for (let count = 1; page; count++) {
    const { [`${direction}PageUrl` as const]: url }: Page<Item> = page;
    const last = count >= maxPages;
    const ahead = prefetch && !last ? follow(page, url, isSeen) : undefined;
    // Whoever stops early never looks at it.
    ahead?.catch(() => {});
    yield page;
    page = last ? null : await (ahead ?? follow(page, url, isSeen));
  }
}

/** Tells whether a URL was seen before. After the first 1000, a loop may go round a few times before it is found. */
function createLoopGuard(): (url: string) => boolean {
  // These are all remembered. Of those that come later, only some are, so that the memory stays bounded.
  const remembered = 1000;
  const seen = new Set<string>();
  let previous = '';
  let count = 0;
  return (url) => {
    if (url === previous || seen.has(url)) return true;
    previous = url;
    count++;
    // Powers of two are enough to find every loop (Brent's cycle detection).
    if (count <= remembered || (count & (count - 1)) === 0) seen.add(url);
    return false;
  };
}
