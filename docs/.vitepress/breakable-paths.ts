import type { MarkdownRenderer } from 'vitepress';

/** A path in a table, such as `/_control/workspaces/{id}`, may break after each slash. Otherwise it widens its column. */
export function breakPathsInTables(md: MarkdownRenderer): void {
  md.core.ruler.push('breakable-paths', ({ tokens }) => {
    let isInTable = false;
    for (const { type, children } of tokens) {
      if (type === 'table_open' || type === 'table_close') isInTable = type === 'table_open';
      if (!isInTable) continue;
      for (const token of children ?? []) if (token.type === 'code_inline') token.meta = { breaks: true };
    }
  });
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = render?.(tokens, index, ...rest) ?? '';
    return tokens[index]?.meta?.breaks ? html.replaceAll(/\/(?=[\w{])(?![^<]*>)/g, '/<wbr>') : html;
  };
}
