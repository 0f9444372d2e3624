import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';

/** The folder of the built site. */
export const site: string = join(docs, '.vitepress/dist');

/** A broken link, with the page that contains it. */
export interface BrokenLink {
  page: string;
  link: string;
}

/** Throws if a link of the built site has no target: no such file, or no such anchor on the page. */
export function checkLinks(): void {
  const { pages, links, broken } = findBrokenLinks(site);
  if (broken.length > 0) {
    throw new Error(broken.map(({ page, link }) => `${page}: ${link} leads nowhere`).join('\n'));
  }
  console.log(`${links} links on ${pages} pages lead somewhere.`);
}

/** Checks every link and picture of every page. Links to other sites are not checked. */
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
