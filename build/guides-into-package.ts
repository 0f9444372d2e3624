import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs in a package's folder during its build. The README of a published package links to guides/, which is part of the
// tarball. This copies the guides that the README links to. Links from them to others become plain text: guides link to
// each other, so every tarball would have nearly all of them. Pictures and other parts of the repository are not copied.

const source = join(import.meta.dirname, '../docs/guides');
const target = join(process.cwd(), 'guides');

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => String(link));

const linked = linksIn(readFileSync('README.md', 'utf8')).filter((link) => link.startsWith('guides/'));
const names = new Set(linked.map((link) => link.slice('guides/'.length)));

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const name of names) {
  // Remove the comments that name the sources of code, which are for the repository's tests.
  const text = readFileSync(join(source, name), 'utf8')
    .replaceAll(/<!-- .* -->\n/g, '')
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n\n?/g, '')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)(?:#[^)]*)?\)/g, (link, words, to) => (names.has(to) ? link : words));
  for (const link of linksIn(text).filter((link) => !/^https?:/.test(link) && !names.has(link))) {
    throw new Error(`docs/guides/${name} links to ${link}, which is in no tarball`);
  }
  writeFileSync(join(target, name), text);
}
