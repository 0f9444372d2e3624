import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs in a package's folder during its build. The README of a published package links to guides/, which is part of the
// tarball. This copies the linked guides from docs/guides, and the guides that they link to. Pictures and other parts
// of the repository are not copied.

const source = join(import.meta.dirname, '../docs/guides');
const target = join(process.cwd(), 'guides');

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => String(link));

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const copied = new Set<string>();

function copy(name: string): void {
  if (copied.has(name)) return;
  copied.add(name);
  // Remove the comments that name the sources of code, which are for the repository's tests.
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
