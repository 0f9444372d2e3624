import type { DefaultTheme } from 'vitepress';
import { GUIDES, pagesOf, titleOf } from './navigation.ts';
import { REFERENCE } from './reference.ts';
import { linkOf } from './sidebar.ts';

type Neighbour = DefaultTheme.NavItemWithLink | false;

const order = [...GUIDES, ...REFERENCE].flatMap(pagesOf);

/**
 * Returns the pages before and after a page, across sections. The theme itself finds only pages in the same sidebar.
 */
export function neighboursOf(page: string): { prev: Neighbour; next: Neighbour } | undefined {
  const index = order.indexOf(page);
  if (index === -1) return undefined;
  return { prev: linkTo(order[index - 1]), next: linkTo(order[index + 1]) };
}

const linkTo = (page: string | undefined): Neighbour =>
  page === undefined ? false : { text: titleOf(page), link: linkOf(page) };
