import type { DefaultTheme } from 'vitepress';
import { GUIDES, pagesOf, type Section } from './navigation.ts';
import { REFERENCE } from './reference.ts';
import { linkOf } from './sidebar.ts';

/** The bar at the top: the sections that have a short name, and the reference. */
export const topBar: DefaultTheme.NavItem[] = [
  ...GUIDES.flatMap((section) =>
    section.short === undefined
      ? []
      : [{ text: section.short, link: linkOf(String(pagesOf(section)[0])), activeMatch: anyPageOf([section]) }],
  ),
  { text: 'Reference', link: '/reference/', activeMatch: `${anyPageOf(REFERENCE)}|^/api/` },
];

/** Returns a regular expression that matches the paths of all pages in these sections. */
function anyPageOf(sections: readonly Section[]): string {
  const paths = sections.flatMap(pagesOf).map((page) => page.replace(/index$/, ''));
  return `^/(${paths.join('|')})(\\.html)?$`;
}
