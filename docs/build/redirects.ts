import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relative } from 'node:path/posix';
import { REDIRECTS } from '../.vitepress/redirects.ts';
import { site } from './check-links.ts';

/** Writes a page for each old address. The page redirects immediately, and works on any host that serves files. */
export function writeRedirects(): void {
  for (const [from, to] of Object.entries(REDIRECTS)) {
    const file = join(site, `${from}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, redirectPage(from, to));
  }
}

/** Returns a page that redirects to another page. The link is relative, and the page needs no script. */
export function redirectPage(from: string, to: string): string {
  const [page = '', anchor] = to.split('#');
  const link = `${relative(dirname(`/${from}`), `/${page}.html`)}${anchor === undefined ? '' : `#${anchor}`}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${link}">
<link rel="canonical" href="${link}">
<p>This page is now <a href="${link}">here</a>.</p>
</html>
`;
}
