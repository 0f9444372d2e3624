import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { docs, GUIDES, pagesOf, type Section, titleOf } from './navigation.ts';
import { REFERENCE } from './reference.ts';

type Item = DefaultTheme.SidebarItem;

/**
 * Creates a sidebar for each section, with the section's pages and links to the other sections. The theme chooses the
 * sidebar whose key is the beginning of a page's path, so each page has a key.
 *
 * Groups cannot be folded, because the theme's button that folds a group contains other elements, and screen readers do
 * not announce elements inside a button.
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

/** Returns the name of a page for the sidebar, without the words that are in its group's heading. */
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

/** Returns the packages and their entry points, in typedoc's order. The page of an entry point lists its exports. */
function exportsOfPackages(): Item[] {
  const packages = JSON.parse(readFileSync(join(docs, 'api/typedoc-sidebar.json'), 'utf8')) as Item[];
  return packages.map(({ text = '', items = [] }) => ({
    text: `Exports of ${text}`,
    // The module `index` comes first. Programs import this module by the package's name, without a path.
    items: items.toSorted(byIndexFirst).map((entry) => ({
      text: entry.text === 'index' ? text : `${text}/${entry.text}`,
      link: `${entry.link}index`,
    })),
  }));
}

const byIndexFirst = (a: Item, b: Item) => Number(b.text === 'index') - Number(a.text === 'index');
