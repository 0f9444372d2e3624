import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';
import { GUIDES, pagesOf } from '../../../docs/.vitepress/navigation.ts';
import { REFERENCE } from '../../../docs/.vitepress/reference.ts';
import { targetsIn } from '../src/page-links.ts';

/**
 * Pages that the site's build writes: the reference, of which the build checks that each page exists, and one page for
 * each package's exports. Only pages of the site may link to them.
 */
const OF_THE_SITE = new Set([
  ...[...GUIDES, ...REFERENCE]
    .flatMap(pagesOf)
    .filter((page) => page.startsWith('reference/'))
    .map((page) => `docs/${page}.md`),
  ...['client', 'webhooks', 'mock-server'].map((name) => `docs/api/@svc/${name}/index.md`),
]);

/** The links of the tracked pages that lead to no tracked file or folder, so they are dead in the repository. */
function deadLinks(tracked: readonly string[], textOf: (page: string) => string) {
  const folders = tracked.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')));
  const targets = new Set([...tracked, ...folders]);
  return tracked
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => targetsIn(page, textOf(page)))
    .filter(({ page, target }) => !targets.has(target) && !(page.startsWith('docs/') && OF_THE_SITE.has(target)));
}

test('Every link of every page in the repository leads to a file that Git tracks', async () => {
  const { stdout } = await run('git', ['ls-files']);
  const tracked = stdout.trim().split('\n');
  expect(tracked).toContain('packages/client/README.md');
  expect(deadLinks(tracked, (page) => readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test('A link to a file that is only on this machine is dead', () => {
  const tracked = ['README.md', 'docs/guides/a.md'];
  const texts: Record<string, string> = {
    'README.md': '[a](docs/guides/a.md#b) [b](docs/guides) [c](https://c.test) [d](dist/d.js) [e](docs/api/e.md)',
    'docs/guides/a.md':
      '[f](../reference/errors.md) [g](../../README.md) [h](h.md) [i](../reference/i.md) [j](../api/j.md)',
  };
  expect(deadLinks(tracked, (page) => texts[page] ?? '').map(({ target }) => target)).toEqual([
    'dist/d.js',
    'docs/api/e.md',
    'docs/guides/h.md',
    'docs/reference/i.md',
    'docs/api/j.md',
  ]);
});

/** The source files in backticks that do not exist. A page may leave out the first folders of a path. */
function missingFiles(tracked: readonly string[], text: string): string[] {
  const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, name]) => name ?? []);
  return named.filter((name) => !tracked.some((path) => `/${path}`.endsWith(`/${name}`)));
}

test('Every source file that a page about the design names exists', async () => {
  const { stdout } = await run('git', ['ls-files']);
  const tracked = stdout.trim().split('\n');
  const pages = tracked.filter((path) => /^docs\/[^/]+\.md$/.test(path));
  expect(pages).toContain('docs/life-of-a-delivery.md');
  const missing = pages.map((page) => [page, missingFiles(tracked, readFileSync(join(root, page), 'utf8'))]);
  expect(missing.filter(([, names]) => names?.length)).toEqual([]);
});

test('A source file that was renamed or moved is missing', () => {
  const text = '`b.ts`, `src/b.ts`, `src/c.ts` and `c.ts`';
  expect(missingFiles(['a/src/b.ts', 'a/src/abc.ts'], text)).toEqual(['src/c.ts', 'c.ts']);
});

test.each(readdirSync(join(root, 'examples')))('examples/%s has a README with the command that runs it', (name) => {
  const text = readFileSync(join(root, 'examples', name, 'README.md'), 'utf8');
  expect(text).toMatch(/^# \S/);
  expect(text).toMatch(/^npm ci && npm (run example|test -w examples\/|run test:release -- examples)/m);
});
