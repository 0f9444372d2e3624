import stringWidth from 'string-width';
import type { Style } from './style.ts';

/**
 * Formats a table. Cells are never cut: if the table is wider than the terminal, each row becomes a block with one line
 * for each column.
 */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { width, style }: { width: number; style: Style },
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(stringWidth(column), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  );
  const needed = widths.reduce((sum, one) => sum + one, 0) + 2 * (columns.length - 1);
  if (needed > width) {
    return rows.flatMap((row, index) => [
      ...(index > 0 ? [''] : []),
      ...renderFields(
        columns.map((column, at) => [column, row[at] ?? '']),
        style,
      ),
    ]);
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padEnd(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => style.bold(column))), ...rows.map(line)];
}

/** Formats names and values, one pair on each line. Leaves out pairs with an empty value. */
export function renderFields(fields: readonly (readonly [string, string])[], style: Style): string[] {
  const shown = fields.filter(([, value]) => value !== '');
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  return shown.map(([name, value]) => `${padEnd(style.bold(name), width)}  ${value}`);
}

/** Pads a cell with spaces to a width in columns. Color codes count as zero columns. */
const padEnd = (cell: string, width: number) => cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));
