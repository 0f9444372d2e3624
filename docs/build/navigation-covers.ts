import { globSync } from 'node:fs';
import { docs, GUIDES, pagesOf, REPOSITORY_ONLY } from '../.vitepress/navigation.ts';
import { REFERENCE } from '../.vitepress/reference.ts';

/** Throws if a page is in no section, or if a section lists a page that does not exist. */
export function checkNavigation(): void {
  const listed = [...GUIDES, ...REFERENCE].flatMap(pagesOf);
  const written = globSync(['*.md', '{guides,reference,silences}/*.md'], { cwd: docs })
    .map((file) => file.replace(/\.md$/, ''))
    .filter((page) => page !== 'index' && !REPOSITORY_ONLY.includes(page));
  const unlisted = written.filter((page) => !listed.includes(page));
  const missing = listed.filter((page) => !written.includes(page));
  const problems = [
    ...unlisted.map((page) => `docs/${page}.md is in no section. Add it to docs/.vitepress/navigation.ts.`),
    ...missing.map((page) => `docs/${page}.md does not exist. Take it out of docs/.vitepress/navigation.ts.`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
