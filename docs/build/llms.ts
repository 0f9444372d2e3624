import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docs, GUIDES, pagesOf, titleOf } from '../.vitepress/navigation.ts';
import { NOT_PUBLISHED } from '../.vitepress/not-published.ts';
import { REFERENCE } from '../.vitepress/reference.ts';
import { site } from './check-links.ts';

/** Returns the Markdown of a page, without the comments that name the sources of its code. */
const textOf = (page: string) => readFileSync(join(docs, `${page}.md`), 'utf8').replaceAll(/<!-- .* -->\n/g, '');

/** The first sentence below the heading of a page. */
export function summaryOf(text: string): string {
  const paragraph = text.split('\n\n').find((block) => /^[A-Z`[*]/.test(block)) ?? '';
  const line = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?=\s|$)/.exec(line)?.[0].replace(/:$/, '.') ?? line;
}

/** Writes `llms.txt` (a list of the pages, see llmstxt.org), `llms-full.txt` (all pages), and each page as Markdown. */
export function writeLlmsFiles(): void {
  const [, title = '', summary = ''] = /^# (.+)\n+((?:.+\n)+)/.exec(textOf('../README')) ?? [];
  const sections = [...GUIDES, ...REFERENCE];
  const list = sections.map((section) => {
    const lines = pagesOf(section).map((page) => `- [${titleOf(page)}](/${page}.md): ${summaryOf(textOf(page))}\n`);
    return `## ${section.title}\n\n${lines.join('')}`;
  });
  writeFileSync(
    join(site, 'llms.txt'),
    `# ${title}\n\n> ${summary.trim().replaceAll('\n', ' ')}\n\n${NOT_PUBLISHED}\n\n${list.join('\n')}`,
  );
  const pages = sections.flatMap(pagesOf);
  for (const page of pages) writeFileSync(join(site, `${page}.md`), textOf(page));
  const texts = pages.map((page) => `<!-- /${page}.md -->\n\n${textOf(page).trim()}\n`);
  writeFileSync(join(site, 'llms-full.txt'), texts.join('\n---\n\n'));
}
