import type { Result } from './run.ts';
import type { Statement } from './statement.ts';

/** The results of all statements, by the name of the target. */
export type Matrix = ReadonlyMap<string, readonly Result[]>;

/** The matrix as a Markdown table, with a row for each statement and a column for each target. */
export function toMarkdown(matrix: Matrix): string {
  const header = ['id', 'section', 'statement', ...matrix.keys()];
  const rows = rowsOf(matrix).map(({ statement: { id, section, text }, outcomes }) => [
    `\`${id}\``,
    section,
    text,
    ...outcomes.map((outcome) => (outcome === 'fails' ? '**fails**' : outcome)),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The matrix for a terminal. A final line for each target says how many statements hold. */
export function toText(matrix: Matrix): string {
  const names = [...matrix.keys()];
  const rows = rowsOf(matrix);
  const table = [['statement', ...names], ...rows.map(({ statement, outcomes }) => [statement.id, ...outcomes])];
  const widths = names.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const sums = names.map((name, column) => {
    const count = (outcome: Outcome) => rows.filter(({ outcomes }) => outcomes[column] === outcome).length;
    return `${name}: ${count('holds')} of ${rows.length} statements hold, ${count('fails')} fail, ${count('no test yet')} have no test.`;
  });
  return [...lines.map((line) => line.trimEnd()), '', ...sums].join('\n');
}

type Outcome = 'holds' | 'fails' | 'no test yet';

function rowsOf(matrix: Matrix): { statement: Statement; outcomes: Outcome[] }[] {
  const byId = new Map<string, { statement: Statement; outcomes: Outcome[] }>();
  for (const results of matrix.values()) {
    for (const { statement, failure, tested } of results) {
      const row = byId.get(statement.id) ?? { statement, outcomes: [] };
      row.outcomes.push(tested ? (failure === undefined ? 'holds' : 'fails') : 'no test yet');
      byId.set(statement.id, row);
    }
  }
  return [...byId.values()];
}
