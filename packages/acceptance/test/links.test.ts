import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../src/run.ts';

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => String(link));

test.each(['packages/client', 'packages/webhooks', 'mock-server'])(
  'Every link in the README and the guides of %s is absolute, or leads to a file of the tarball',
  async (folder) => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', `./${folder}`]);
    const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
    const files = new Set(packed?.files.map(({ path }) => path));
    const pages = [...files].filter((path) => path.endsWith('.md'));
    const links = pages.flatMap((page) =>
      linksIn(readFileSync(join(root, folder, page), 'utf8'))
        .filter((link) => !link.startsWith('https://'))
        .map((link) => ({ page, target: normalize(join(dirname(page), link)) })),
    );
    expect(links.filter(({ target }) => !files.has(target))).toEqual([]);
    expect(links.length).toBeGreaterThan(10);
  },
);

test('Every link in the README and the guides of the repository leads to a file', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'mock-server/README.md'];
  const broken = pages.flatMap((page) =>
    linksIn(readFileSync(join(root, page), 'utf8'))
      .filter((link) => !/^(https?:|\/)/.test(link) && !existsSync(join(root, dirname(page), link)))
      .map((link) => ({ page, link })),
  );
  expect(broken).toEqual([]);
});
