import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';

// Runs in a package's folder during its build. The links of a published README to docs/guides/ do not work in an
// installed package. So this script copies the linked guides to guides/. If the tarball has the folder silences/, the
// script also copies the decisions on points where the service document is silent. Links to other pages become plain
// text: if the script copied these pages, every tarball would contain nearly all guides.

const docs = join(import.meta.dirname, '../../docs');
const home = process.cwd();

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => String(link));

const linked = linksIn(readFileSync('README.md', 'utf8')).filter((link) => link.includes('/docs/guides/'));
const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
const decisions = files.includes('silences')
  ? ['silences.md', ...readdirSync(join(docs, 'silences')).map((name) => `silences/${name}`)]
  : [];
const pages = new Set([...linked.map((link) => `guides/${basename(link)}`), ...decisions]);

for (const folder of ['guides', 'silences', 'silences.md'])
  rmSync(join(home, folder), { recursive: true, force: true });
for (const page of pages) {
  // Remove the comments, which only the repository's tests need. Some comments name the source of a code block.
  const text = readFileSync(join(docs, page), 'utf8')
    .replaceAll(/<!-- .* -->\n/g, '')
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n\n?/g, '')
    .replaceAll(/\[([^\]]+)\]\((\.\.\/[^)#\s]+|[\w/-]+\.md)(?:#[^)]*)?\)/g, (link, words, to) =>
      pages.has(join(dirname(page), to)) ? link : words,
    );
  mkdirSync(dirname(join(home, page)), { recursive: true });
  writeFileSync(join(home, page), text);
}
