import type { MarkdownRenderer } from 'vitepress';

// The packages are not on npm yet. On the day they are, delete this file and its uses, section 1 of docs/start.md, and
// the sentences in README.md and docs/guides/test-in-ci.md.

const INSTALL = /\bnpm install\b.*@svc\//;
const LINK = '<a href="/start.html#_1-get-the-packages">Get them from a clone</a>';

/** For programs that read `llms.txt`. */
export const NOT_PUBLISHED = 'The packages are not on npm yet. [Quickstart](/start.md) shows how to get them.';

/** Says so on each page that installs a package of this project, after its first `npm install`. */
export function sayNotPublished(md: MarkdownRenderer): void {
  md.core.ruler.push('not-published', ({ tokens, Token }) => {
    const index = tokens.findIndex(({ content }) => INSTALL.test(content));
    if (index === -1) return;
    const note = new Token('html_block', '', 0);
    note.content = `<p class="not-published">The packages are not on npm yet. ${LINK}.</p>\n`;
    // A block of code is one token. After a text, its paragraph closes.
    tokens.splice(index + (tokens[index]?.type === 'fence' ? 1 : 2), 0, note);
  });
}
