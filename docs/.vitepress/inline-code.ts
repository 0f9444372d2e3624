import type { MarkdownRenderer } from 'vitepress';

const SHORT_MAX = 24;

/**
 * Decides where a line may break inside inline code. Short code does not break, because a browser would break `--port`
 * after its first hyphen. A path in a table, such as `/_control/workspaces/{id}`, may break after each slash.
 * Otherwise, the path would widen its column.
 */
export function breakInlineCode(md: MarkdownRenderer): void {
  md.core.ruler.push('inline-code', ({ tokens }) => {
    let isInTable = false;
    for (const { type, children } of tokens) {
      if (type === 'table_open' || type === 'table_close') isInTable = type === 'table_open';
      for (const token of children ?? []) {
        if (token.type !== 'code_inline') continue;
        if (isInTable) token.meta = { breaks: true };
        if (token.content.length <= SHORT_MAX && !token.content.includes('/')) token.attrJoin('class', 'short');
      }
    }
  });
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = render?.(tokens, index, ...rest) ?? '';
    return tokens[index]?.meta?.breaks ? html.replaceAll(/\/(?=[\w{])(?![^<]*>)/g, '/<wbr>') : html;
  };
}
