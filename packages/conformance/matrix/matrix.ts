import type { Result } from '../src/run.ts';
import type { Statement } from '../src/statement.ts';
import type { Need } from '../src/target.ts';

/** The results of all statements, keyed by target name. */
export type Matrix = ReadonlyMap<string, readonly Result[]>;

const NEEDS: Readonly<Record<Need, string>> = { key: 'API key', token: 'token', control: 'control API' };

/** Returns the matrix as a Markdown table with a row for each statement and a column for each target. */
export function toMarkdown(matrix: Matrix): string {
  const header = ['id', 'section', 'statement', ...matrix.keys(), 'needs'];
  const rows = rowsOf(matrix).map(({ statement: { id, section, text, needs }, outcomes }) => [
    `\`${id}\``,
    section,
    text,
    ...outcomes.map((outcome) => (outcome === 'fails' ? '**fails**' : outcome)),
    NEEDS[needs],
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Returns a summary with a row for each section. A row says how many of the section's statements hold for each target.
 */
export function toSummary(matrix: Matrix): string {
  const sections = Map.groupBy(rowsOf(matrix), ({ statement: { section } }) => section);
  const names = [...matrix.keys()];
  const hold = (rows: readonly Row[]) =>
    names.map((_, column) => String(rows.filter(({ outcomes }) => outcomes[column] === 'holds').length));
  const lines = [...sections].map(([section, rows]) => [section, String(rows.length), ...hold(rows)]);
  const all = [...sections.values()].flat();
  const header = ['section', 'statements', ...names];
  return [header, header.map(() => '---'), ...lines, ['**all**', String(all.length), ...hold(all)]]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Returns the matrix as text for a terminal. At the end, a line for each target says how many statements hold. */
export function toText(matrix: Matrix): string {
  const names = [...matrix.keys()];
  const rows = rowsOf(matrix);
  const table = [['statement', ...names], ...rows.map(({ statement, outcomes }) => [statement.id, ...outcomes])];
  const widths = names.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const sums = names.map((name, column) => {
    const held = rows.filter(({ outcomes }) => outcomes[column] === 'holds').length;
    return `${name}: ${held} of ${rows.length} statements hold, ${rows.length - held} fail.`;
  });
  return [...lines.map((line) => line.trimEnd()), '', ...sums].join('\n');
}

type Outcome = 'holds' | 'fails';

interface Row {
  statement: Statement;
  outcomes: Outcome[];
}

function rowsOf(matrix: Matrix): Row[] {
  const byId = new Map<string, Row>();
  for (const results of matrix.values()) {
    for (const { statement, outcome } of results) {
      const row = byId.get(statement.id) ?? { statement, outcomes: [] };
      row.outcomes.push(outcome === 'pass' ? 'holds' : 'fails');
      byId.set(statement.id, row);
    }
  }
  return [...byId.values()];
}
