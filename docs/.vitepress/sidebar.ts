import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { docs, GUIDES, pagesOf, type Section, titleOf } from './navigation.ts';
import { REFERENCE } from './reference.ts';

type Item = DefaultTheme.SidebarItem;

/**
 * A sidebar for each section, with its own pages and a way to the other sections. The theme chooses a sidebar by the
 * beginning of a page's path, so each page is named.
 *
 * No group can be folded: the theme's button for that contains other elements, which screen readers then do not
 * announce.
 */
export function createSidebar(): DefaultTheme.SidebarMulti {
  const sidebars: DefaultTheme.SidebarMulti = {};
  for (const section of GUIDES) {
    const items = [...groupsOf(section), linksTo('All sections', GUIDES)];
    for (const page of pagesOf(section)) sidebars[`/${page}.md`] = items;
  }
  for (const section of REFERENCE) {
    const exports = section.title === 'Packages' ? exportsOfPackages() : [];
    const items = [...groupsOf(section), ...exports, linksTo('All of the reference', REFERENCE)];
    for (const page of pagesOf(section)) sidebars[`/${page}.md`] = items;
    if (exports.length > 0) sidebars['/api/'] = items;
  }
  return sidebars;
}

const groupsOf = ({ groups }: Section): Item[] =>
  Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({ text: nameBelow(text, titleOf(page)), link: linkOf(page) })),
  }));

/** The name of a page below the heading of its group: without words that the heading has already said. */
function nameBelow(group: string, title: string): string {
  if (title === group) return 'Overview';
  const rest = title.startsWith(`${group}: `) ? title.slice(group.length + 2) : title;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

const linksTo = (text: string, sections: readonly Section[]): Item => ({
  text,
  items: sections.map((section) => ({ text: section.title, link: linkOf(String(pagesOf(section)[0])) })),
});

export const linkOf = (page: string): string => `/${page}`.replace(/\/index$/, '/');

/** The packages and their entries, as typedoc has sorted them. An entry's page lists its exports. */
function exportsOfPackages(): Item[] {
  const packages = JSON.parse(readFileSync(join(docs, 'api/typedoc-sidebar.json'), 'utf8')) as Item[];
  return packages.map(({ text = '', items = [] }) => ({
    text: `Exports of ${text}`,
    // The module `index` is what the package's own name imports. It comes first.
    items: items.toSorted(byIndexFirst).map((entry) => ({
      text: entry.text === 'index' ? text : `${text}/${entry.text}`,
      link: `${entry.link}index`,
    })),
  }));
}

const byIndexFirst = (a: Item, b: Item) => Number(b.text === 'index') - Number(a.text === 'index');
