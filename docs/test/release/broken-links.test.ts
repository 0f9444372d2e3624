import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryPath } from '../../.vitepress/repository-links.ts';
import { findBrokenLinks, site } from '../../build/check-links.ts';
import { isBuilt } from '../support/build-site.ts';

describe('The link checker', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-links-'));
    mkdirSync(join(folder, 'guides'));
    writeFileSync(join(folder, 'guides/one.html'), '<h2 id="here">Here</h2><a href="#here"></a><a href="/">Home</a>');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('accepts pages, anchors, files and other sites', () => {
    writeFileSync(
      join(folder, 'index.html'),
      '<a href="/guides/one.html#here"></a><a href="guides/one.html"></a><img src="/index.html"><a href="https://example.com/no"></a>',
    );
    expect(findBrokenLinks(folder)).toEqual({ pages: 2, links: 5, broken: [] });
  });

  test('reports a page, an anchor and a picture that are not there', () => {
    writeFileSync(
      join(folder, 'index.html'),
      '<a href="/two.html"></a><a href="/guides/one.html#there"></a><img src="picture.png"><a href="#gone"></a>',
    );
    const links = findBrokenLinks(folder).broken.map(({ link }) => link);
    expect(links).toEqual(['/two.html', '/guides/one.html#there', '#gone', 'picture.png']);
  });

  test.skipIf(!isBuilt())('finds nothing in the site', () => {
    const { links, broken } = findBrokenLinks(site);
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(1000);
  });
});

describe('A link of a guide to the repository', () => {
  test('becomes a path', () => {
    expect(repositoryPath('guides/a.md', '../../examples/replay-failed/')).toBe('examples/replay-failed');
    expect(repositoryPath('architecture.md', '../README.md')).toBe('README.md');
    expect(repositoryPath('conformance.md', 'conformance-table.md')).toBe('docs/conformance-table.md');
  });

  test('is left alone if it leads to a page, an anchor or another site', () => {
    for (const href of ['../start.md', 'b.md#c', '#c', '/start', 'https://example.com/../../x', 'mailto:a@b.test']) {
      expect(repositoryPath('guides/a.md', href)).toBeUndefined();
    }
  });
});
