import type { MarkdownRenderer } from 'vitepress';

const COLUMNS_MIN = 3;

/**
 * In tables with three or more columns, adds the column's name to each cell, except to the first cell of each row. Such
 * a table does not fit on a phone, so on a phone, the style sheet shows each row as a list with these names.
 */
export function stackTables(md: MarkdownRenderer): void {
  md.core.ruler.push('stacked-tables', ({ tokens }) => {
    let names: string[] = [];
    let column = 0;
    tokens.forEach((token, index) => {
      if (token.type === 'table_open') names = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') names.push(textOf(tokens[index + 1]?.children));
      if (token.type !== 'td_open') return;
      const name = names[column++];
      if (column > 1 && names.length >= COLUMNS_MIN && name) token.attrSet('data-column', name);
    });
  });
}

const textOf = (parts: readonly { content: string }[] | null | undefined): string =>
  (parts ?? []).map(({ content }) => content).join('');
