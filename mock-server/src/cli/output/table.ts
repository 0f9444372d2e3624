import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Style } from './style.ts';

/** The parts of a table's frame, all empty, so that its text can be copied. */
const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/**
 * A table of rows. Cells are never cut. If the table is wider than the terminal, each row becomes a block with one line
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
  const table = new Table({
    head: columns.map((column) => style.bold(column)),
    chars: NO_FRAME,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Names and values, one pair on each line. Pairs with an empty value are left out. */
export function renderFields(fields: readonly (readonly [string, string])[], style: Style): string[] {
  const shown = fields.filter(([, value]) => value !== '');
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  return shown.map(([name, value]) => `${style.bold(name)}${' '.repeat(width - stringWidth(name))}  ${value}`);
}
