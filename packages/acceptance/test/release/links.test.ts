import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';
import { linksIn, targetsIn } from '../../src/page-links.ts';

test.each(['packages/client', 'packages/webhooks', 'mock-server'])(
  'Every guide that the README of %s links to is in the tarball, and the guides there link only to each other',
  async (folder) => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', `./${folder}`]);
    // npm 11 prints a list. npm 12 prints an object by package.
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>);
    const files = new Set(packed?.files.map(({ path }) => path));
    const guides = linksIn(readFileSync(join(root, folder, 'README.md'), 'utf8'))
      .filter((link) => link.includes('/docs/guides/'))
      .map((link) => link.replace(/.*\/docs\//, ''));
    expect(guides.length).toBeGreaterThan(5);
    expect(guides.filter((guide) => !files.has(guide))).toEqual([]);
    const links = guides.flatMap((guide) => targetsIn(guide, readFileSync(join(root, folder, guide), 'utf8')));
    expect(links.filter(({ target }) => !files.has(target))).toEqual([]);
  },
);

test.each(['packages/client', 'packages/webhooks', 'mock-server'])(
  'The tarball of %s contains every decision where the service document is silent, as the repository does',
  (folder) => {
    const decisions = readdirSync(join(root, 'docs/silences'));
    expect(readdirSync(join(root, folder, 'silences'))).toEqual(decisions);
    const [given, kept] = [`${folder}/silences/shapes.md`, 'docs/silences/shapes.md'].map((path) =>
      readFileSync(join(root, path), 'utf8').split('\n').at(0),
    );
    expect(given).toBe(kept);
    const guide = readFileSync(join(root, folder, 'guides/go-live.md'), 'utf8');
    expect(linksIn(guide)).toContain('../silences.md');
    expect(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).files).toContain('silences');
  },
);
