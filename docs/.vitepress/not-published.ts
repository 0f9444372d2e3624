import type { MarkdownRenderer } from 'vitepress';

// The packages are not on npm yet. When the packages are published, delete this file and its uses, section 1 of
// docs/start.md, and the sentences about npm in README.md and docs/guides/test-in-ci.md.

const INSTALL = /\bnpm install\b.*@svc\//;
const LINK = '<a href="/start.html#_1-get-the-packages">Get them from a clone</a>';

/** The text of the note in `llms.txt`, a file that programs read. */
export const NOT_PUBLISHED = 'The packages are not on npm yet. [Quickstart](/start.md) shows how to get them.';

/**
 * Adds a note to each page that shows how to install one of the packages. The note follows the first `npm install`, and
 * says that the packages are not on npm yet.
 */
export function sayNotPublished(md: MarkdownRenderer): void {
  md.core.ruler.push('not-published', ({ tokens, Token }) => {
    const index = tokens.findIndex(({ content }) => INSTALL.test(content));
    if (index === -1) return;
    const note = new Token('html_block', '', 0);
    note.content = `<p class="not-published">The packages are not on npm yet. ${LINK}.</p>\n`;
    // A code block is one token. In a paragraph, the next token closes the paragraph, so the note follows that token.
    tokens.splice(index + (tokens[index]?.type === 'fence' ? 1 : 2), 0, note);
  });
}
