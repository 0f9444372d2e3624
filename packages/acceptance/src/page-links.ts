import { dirname, join, normalize } from 'node:path';

/** Returns the relative links in a text, without their anchors. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link]) => String(link))
    .filter((link) => !/^[a-z]+:/i.test(link));

/** Returns the targets of a page's relative links. `page` and the targets are paths relative to the same folder. */
export const targetsIn = (page: string, text: string): { page: string; target: string }[] =>
  linksIn(text).map((link) => ({ page, target: normalize(join(dirname(page), link)).replace(/\/$/, '') }));
