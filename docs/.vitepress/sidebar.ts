import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { docs, GUIDES, REFERENCE, type Section, titleOf } from './navigation.ts';

type Item = DefaultTheme.SidebarItem;

/** The sidebars: one for what a reader does, one for what a reader looks up. */
export function createSidebar(): DefaultTheme.SidebarMulti {
  const reference = [...REFERENCE.map(itemOf), ...apiItems()];
  return { '/': GUIDES.map(itemOf), '/reference/': reference, '/api/': reference };
}

// No section can be folded: the theme's button for that holds other elements, which screen readers then do not announce.
function itemOf({ title, pages }: Section): Item {
  return { text: title, items: pages.map((page) => ({ text: titleOf(page), link: linkOf(page) })) };
}

export const linkOf = (page: string): string => `/${page}`.replace(/\/index$/, '/');

/** The packages and their entries, as typedoc has sorted them. An entry's page lists its exports. */
function apiItems(): Item[] {
  const packages = JSON.parse(readFileSync(join(docs, 'api/typedoc-sidebar.json'), 'utf8')) as Item[];
  return packages.map(({ text = '', items = [] }) => ({
    text: `Exports of ${text}`,
    // The module `index` is what the package's own name imports.
    items: items.map((entry) => ({
      text: entry.text === 'index' ? text : `${text}/${entry.text}`,
      link: `${entry.link}index`,
    })),
  }));
}
