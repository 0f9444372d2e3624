import type { MarkdownRenderer } from 'vitepress';

const COLUMNS_MIN = 3;

/**
 * Marks tables that a phone cannot show side by side. Each cell after the first gets the name of its column, so that the
 * style can show a row as a list.
 */
export function stackTables(md: MarkdownRenderer): void {
  md.core.ruler.push('stacked-tables', ({ tokens }) => {
    let names: string[] = [];
    let column = 0;
    tokens.forEach(({ type }, index) => {
      const content = tokens[index + 1];
      if (type === 'tr_open') column = 0;
      if (type === 'table_open') names = [];
      if (type === 'th_open') names.push(content?.children?.map((part) => part.content).join('') ?? '');
      if (type === 'thead_close' && names.length >= COLUMNS_MIN) tableBefore(index)?.attrJoin('class', 'stacked');
      if (type !== 'td_open') return;
      const name = names[column++];
      if (column > 1 && names.length >= COLUMNS_MIN && name) tokens[index]?.attrSet('data-column', name);
    });

    function tableBefore(index: number) {
      return tokens.slice(0, index).findLast(({ type }) => type === 'table_open');
    }
  });
}
