import type { MarkdownRenderer } from 'vitepress';

/** Shows a file's or a terminal's name above its code. A comment like `<!-- file: receiver.mjs -->` sets the name. */
export function nameCode(md: MarkdownRenderer): void {
  md.core.ruler.push('code-names', (state) => {
    state.tokens = state.tokens.flatMap((token, index) => {
      if (token.type !== 'fence') return [token];
      const before = state.tokens.slice(0, index);
      const comments = before.slice(before.findLastIndex(({ type }) => type !== 'html_block') + 1);
      const text = nameIn(comments.map(({ content }) => content).join(''));
      if (text === undefined) return [token];
      const name = new state.Token('html_block', '', 0);
      name.content = `<p class="code-name">${md.utils.escapeHtml(text)}</p>\n`;
      return [name, token];
    });
  });
}

/** Returns the name that the comments before a block contain. */
function nameIn(comments: string): string | undefined {
  const [, file] = /<!-- file: (\S+) -->/.exec(comments) ?? [];
  if (file !== undefined) return file;
  const [, terminal] = /<!-- terminal(?:: (\w+))?(?:, line by line)? -->/.exec(comments) ? RUNS : [];
  return terminal;
}

const RUNS = ['', 'In a terminal, until Ctrl+C'] as const;
