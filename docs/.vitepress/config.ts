import { defineConfig, type HeadConfig } from 'vitepress';
import { nameCode } from './code-names.ts';
import { placeDiagrams } from './diagrams.ts';
import { highlightOnce } from './highlight-once.ts';
import { breakInlineCode } from './inline-code.ts';
import { lastChanged } from './last-changed.ts';
import { REPOSITORY_ONLY } from './navigation.ts';
import { neighboursOf } from './neighbours.ts';
import { sayNotPublished } from './not-published.ts';
import { repositoryUrl, siteUrl, version } from './owner.ts';
import { showPlaceholders } from './placeholders.ts';
import { showRepositoryPaths } from './repository-links.ts';
import { search } from './search.ts';
import { createSidebar } from './sidebar.ts';
import { stackTables } from './stacked-tables.ts';
import { showTabs } from './tabs.ts';
import { topBar } from './top-bar.ts';

export default defineConfig({
  lang: 'en',
  title: 'Workspace Lifecycle Service',
  titleTemplate: ':title · Workspace Lifecycle Service',
  description: 'The SDK, the webhook receiver library and the reference server of the Workspace Lifecycle Service',
  srcExclude: ['node_modules/**', ...REPOSITORY_ONLY.map((page) => `${page}.md`)],
  // Build each page as a file that ends in `.html`, because every static host can serve such files.
  cleanUrls: false,
  metaChunk: true,
  // `transformPageData` sets the time of each page instead, from `lastChanged`.
  lastUpdated: false,
  ...(siteUrl === undefined
    ? {}
    : { sitemap: { hostname: siteUrl, transformItems: (items) => items.map(withLastChange) } }),
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  transformHead: ({ title, description, pageData: { relativePath } }) => [
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'Workspace Lifecycle Service' }],
    ['meta', { name: 'twitter:card', content: siteUrl === undefined ? 'summary' : 'summary_large_image' }],
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
    ...(siteUrl === undefined
      ? []
      : ([
          ['meta', { property: 'og:url', content: siteUrl + relativePath.replace(/\.md$/, '.html') }],
          ['meta', { property: 'og:image', content: `${siteUrl}social-card.png` }],
        ] satisfies HeadConfig[])),
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      highlightOnce(md);
      sayNotPublished(md);
      showPlaceholders(md);
      showRepositoryPaths(md);
      breakInlineCode(md);
      stackTables(md);
      placeDiagrams(md);
      nameCode(md);
      showTabs(md);
    },
  },
  transformPageData({ relativePath, frontmatter }) {
    Object.assign(frontmatter, neighboursOf(relativePath.replace(/\.md$/, '')));
    const lastUpdated = lastChanged.get(relativePath);
    return lastUpdated === undefined ? undefined : { lastUpdated };
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    siteTitle: 'Workspace Lifecycle',
    nav: topBar,
    sidebar: createSidebar(),
    outline: { level: [2, 3], label: 'On this page' },
    search,
    lastUpdated: { text: 'Last changed', formatOptions: { dateStyle: 'long', forceLocale: true } },
    ...(repositoryUrl === undefined
      ? {}
      : { editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' } }),
    footer: {
      message: `Version ${version} · <a href="/reference/changelog.html">Changelog</a> · <a href="/security-model.html">Security model</a> · <a href="/faq.html">Questions</a> · <a href="/faq.html#which-license-do-the-packages-have">MIT license</a>`,
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    // Set both texts, so that a screen reader reads the same words that the page shows.
    notFound: { linkText: 'Go to the first page', linkLabel: 'Go to the first page' },
    externalLinkIcon: true,
  },
});

/** Adds the time of a page's last change to the page's entry in the sitemap. */
function withLastChange<Item extends { url: string }>(item: Item): Item {
  const page = item.url.replace(/(^|\/)$/, '$1index.html').replace(/\.html$/, '.md');
  const at = lastChanged.get(page);
  return at === undefined ? item : { ...item, lastmod: new Date(at).toISOString() };
}
