import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs in a package's folder, with its build. The README of a published package links to guides/, which is part of the
// tarball: this copies the guides that it links to, and those that they link to, from docs/guides. Pictures, and links to
// other parts of the repository, stay there.

const source = join(import.meta.dirname, '../docs/guides');
const target = join(process.cwd(), 'guides');

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => String(link));

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const copied = new Set<string>();

function copy(name: string): void {
  if (copied.has(name)) return;
  copied.add(name);
  // The comments name the sources of the code, for the tests of the repository.
  const text = readFileSync(join(source, name), 'utf8')
    .replaceAll(/<!-- .* -->\n/g, '')
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n\n?/g, '')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
  writeFileSync(join(target, name), text);
  for (const link of linksIn(text).filter((link) => !/^https?:/.test(link))) {
    if (!/^[\w-]+\.md$/.test(link)) throw new Error(`docs/guides/${name} links to ${link}, which is in no tarball`);
    copy(link);
  }
}

for (const link of linksIn(readFileSync('README.md', 'utf8'))) if (link.startsWith('guides/')) copy(link.slice(7));
