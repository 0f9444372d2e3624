import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';

/** The folder of the built site. */
export const site: string = join(docs, '.vitepress/dist');

/** A broken link, and the page that contains the link. */
export interface BrokenLink {
  page: string;
  link: string;
}

/** Throws if a link in the built site points to a file or an anchor that does not exist. */
export function checkLinks(): void {
  const { pages, links, broken } = findBrokenLinks(site);
  if (broken.length > 0) {
    throw new Error(broken.map(({ page, link }) => `${page}: the link ${link} has no target`).join('\n'));
  }
  console.log(`All ${links} links on ${pages} pages have a target.`);
}

/** Checks every link and picture on every page, except links to other sites. */
export function findBrokenLinks(folder: string): { pages: number; links: number; broken: BrokenLink[] } {
  const files = new Set(globSync('**/*', { cwd: folder }).map((file) => `/${file.replaceAll('\\', '/')}`));
  const pages = [...files].filter((file) => file.endsWith('.html'));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const anchors = new Map([...texts].map(([page, text]) => [page, new Set(attributes(text, 'id'))]));
  let links = 0;
  const broken: BrokenLink[] = [];
  for (const [page, text] of texts) {
    for (const link of [...attributes(text, 'href'), ...attributes(text, 'src')]) {
      if (/^[a-z]+:/i.test(link)) continue;
      links += 1;
      const [path = '', anchor] = link.split('#');
      const file = fileAt(path === '' ? page : decodeURI(posix.resolve(posix.dirname(page), path)), path);
      const isThere =
        files.has(file) && (!anchor || !file.endsWith('.html') || anchors.get(file)?.has(decodeURIComponent(anchor)));
      if (!isThere) broken.push({ page, link });
    }
  }
  return { pages: pages.length, links, broken };
}

const fileAt = (path: string, link: string) => (link.endsWith('/') ? posix.join(path, 'index.html') : path);

/** The values of an attribute, with HTML entities decoded. */
function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
}
