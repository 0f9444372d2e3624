import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { describe, expect, test } from 'vitest';
import { docs, GUIDES, pagesOf } from '../../.vitepress/navigation.ts';
import { neighboursOf } from '../../.vitepress/neighbours.ts';
import { REDIRECTS } from '../../.vitepress/redirects.ts';
import { REFERENCE } from '../../.vitepress/reference.ts';
import { createSidebar } from '../../.vitepress/sidebar.ts';
import { findBrokenLinks, site } from '../../build/check-links.ts';
import { redirectPage } from '../../build/redirects.ts';
import { isBuilt } from '../support/build-site.ts';

const listed = [...GUIDES, ...REFERENCE].flatMap(pagesOf);

test('A page is in one section, once', () => {
  expect(listed.filter((page, index) => listed.indexOf(page) !== index)).toEqual([]);
});

describe.skipIf(!isBuilt())('The sidebar of a page', () => {
  const sidebars = isBuilt() ? createSidebar() : {};
  const groupsFor = (page: string) => sidebars[`/${page}.md`] as DefaultTheme.SidebarItem[];
  const linksIn = ({ items = [] }: DefaultTheme.SidebarItem) => items.map(({ link }) => link);

  test('has the pages of its section, and a way to each section', () => {
    const groups = groupsFor('guides/rate-limits');
    const [webhooks, client] = [GUIDES[2], GUIDES[3]].map((section) => section && pagesOf(section));
    expect(groups.slice(0, -1).flatMap(linksIn)).toEqual(client?.map((page) => `/${page}`));
    expect(linksIn(groups.at(-1) ?? {})).toHaveLength(GUIDES.length);
    expect(linksIn(groups.at(-1) ?? {})).toContain(`/${webhooks?.[0]}`);
  });

  test('does not repeat the heading in the name of a page', () => {
    const namesIn = (page: string) => groupsFor(page)[0]?.items?.map(({ text }) => text);
    expect(namesIn('reference/control-time')?.slice(0, 2)).toEqual(['Overview', 'Time']);
  });

  test('is there for every page', () => {
    expect(listed.filter((page) => groupsFor(page) === undefined)).toEqual([]);
    expect(sidebars['/api/']).toBeDefined();
  });
});

test('The page after the last one of a section is the first one of the next', () => {
  expect(neighboursOf('guides/virtual-clock')?.next).toMatchObject({ link: '/guides/register-an-endpoint' });
  expect(neighboursOf('guides/register-an-endpoint')?.prev).toMatchObject({ link: '/guides/virtual-clock' });
  expect(neighboursOf('what-it-is')?.prev).toBe(false);
  expect(neighboursOf('api/@svc/client/index/index')).toBeUndefined();
});

test.skipIf(!isBuilt())('A page that installs a package says once that npm lacks it; no other page does', () => {
  const notes = (page: string) => readFileSync(join(site, `${page}.html`), 'utf8').split('"not-published"').length - 1;
  const installs = (page: string) => /npm install\b.*@svc\//.test(readFileSync(join(docs, `${page}.md`), 'utf8'));
  expect(listed.filter((page) => notes(page) !== Number(installs(page)))).toEqual([]);
  expect(listed.filter(installs).length).toBeGreaterThan(5);
});

describe('An old address', () => {
  test('is not the address of a page', () => {
    expect(Object.keys(REDIRECTS).filter((page) => listed.includes(page))).toEqual([]);
    expect(Object.values(REDIRECTS).filter((to) => !listed.includes(to.replace(/#.*/, '')))).toEqual([]);
  });

  test('leads to its page, from every folder', () => {
    const page = redirectPage('guides/old', 'guides/new#part');
    expect(page).toContain('content="0; url=new.html#part"');
    expect(page).toContain('<a href="new.html#part">');
    expect(redirectPage('old', 'guides/new')).toContain('<a href="guides/new.html">');
  });

  test.skipIf(!isBuilt())('is on the site, and its anchor is there', () => {
    expect(Object.keys(REDIRECTS).filter((page) => !existsSync(join(site, `${page}.html`)))).toEqual([]);
    const isOld = ({ page }: { page: string }) => page.replace(/^\/|\.html$/g, '') in REDIRECTS;
    expect(findBrokenLinks(site).broken.filter(isOld)).toEqual([]);
  });
});

test('The site looks like the dashboard: the same mark, and colours from the same file', () => {
  const dashboard = join(docs, '../packages/dashboard/src');
  expect(readFileSync(join(docs, 'public/icon.svg'), 'utf8')).toBe(
    readFileSync(join(dashboard, 'favicon.svg'), 'utf8'),
  );
  expect(readFileSync(join(docs, '.vitepress/theme/style.css'), 'utf8')).toContain(
    '@import "@svc/dashboard/tokens.css";',
  );
});
