import type { Result } from './run.ts';
import type { Statement } from './statement.ts';

/** What came of every statement, by the name of the target. */
export type Matrix = ReadonlyMap<string, readonly Result[]>;

/** The matrix as a table in Markdown: a row for each statement, a column for each target. */
export function toMarkdown(matrix: Matrix): string {
  const names = [...matrix.keys()];
  const header = ['id', 'section', 'statement', ...names];
  const byId = new Map<string, { statement: Statement; cells: string[] }>();
  for (const results of matrix.values()) {
    for (const { statement, failure, tested } of results) {
      const row = byId.get(statement.id) ?? { statement, cells: [] };
      row.cells.push(tested ? (failure === undefined ? 'holds' : '**fails**') : 'no test yet');
      byId.set(statement.id, row);
    }
  }
  const rows = [...byId.values()].map(({ statement: { id, section, text }, cells }) => [
    `\`${id}\``,
    section,
    text,
    ...cells,
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
