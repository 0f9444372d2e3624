import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { type GuideBlock, parseGuide } from './guide.ts';

const site = join(root, 'docs/.vitepress/dist');

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Returns the text of each code block on a page of the built site, as a reader would copy the text. */
function codeOnSite(page: string): string[] {
  const html = readFileSync(join(site, `${page}.html`), 'utf8');
  return [...html.matchAll(/<pre class="shiki[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
    `${code.replaceAll(/<[^>]*>/g, '')}\n`.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) =>
      String(ENTITIES[entity]),
    ),
  );
}

/**
 * Returns the code blocks on a page of the site. The instructions for the blocks come from comments in the page's
 * source, which the site does not show.
 */
export function blocksOnSite(page: string): GuideBlock[] {
  const blocks = parseGuide(readFileSync(join(root, 'docs', `${page}.md`), 'utf8'));
  const codes = codeOnSite(page);
  if (codes.length !== blocks.length)
    throw new Error(`The page has ${blocks.length} blocks in its source, but ${codes.length} on the site.`);
  return blocks.map((block, index) => ({ ...block, code: String(codes[index]) }));
}
