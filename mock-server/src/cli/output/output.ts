import stringWidth from 'string-width';
import { formatDuration } from '../../domain/duration.ts';
import { type Style, styledLine, styleFor } from './style.ts';
import { print, printError, terminal } from './terminal.ts';

type Lines = string | readonly string[];

type Cells = Readonly<Record<string, string>>;
type CellsOf<Item> = (item: Item) => Cells;

export type Output = ReturnType<typeof createOutput>;

/** Puts an empty line between blocks. Leaves out blocks without lines. */
const inBlocks = (blocks: readonly Lines[]): string[] =>
  blocks.filter((block) => block.length > 0).flatMap((block, index) => [...(index > 0 ? [''] : []), ...[block].flat()]);

export function createOutput(json: boolean) {
  const { isTTY, bothAreTTY, columns: width } = terminal();
  const style = styleFor({ isTTY }, process.env);
  const write = (text: string) => print(text === '' ? '' : `${text}\n`);
  const writeLines = (lines: Lines) => write([lines].flat().map(styledLine).join('\n'));
  /** Prints the whole result of a command. */
  const result = (value: unknown, lines: () => Lines): void =>
    json ? write(JSON.stringify(value, null, 2)) : writeLines(lines());
  const tableOf = <Item>(items: readonly Item[], cellsOf: CellsOf<Item>): string[] => {
    const rows = items.map((item) => styled(cellsOf(item)));
    return rows.length === 0 ? [] : renderTable(rows, width, style);
  };
  const fields = (cells: Cells): string[] => renderFields(styled(cells), style);
  return {
    json,
    style,
    /** Whether progress bars and questions may appear. */
    interactive: !json && bothAreTTY,
    result,
    /** Prints the whole result of a command as blocks of lines. */
    blocks: (value: unknown, blocks: () => readonly Lines[]) => result(value, () => inBlocks(blocks())),
    /** Prints the whole result of a command as a list of fields. */
    show: (value: unknown, cells: Cells) => result(value, () => fields(cells)),
    /** Prints one item of a stream. With `--json`, an item is one line. */
    item: (value: unknown, lines: () => Lines): void => (json ? write(JSON.stringify(value)) : writeLines(lines())),
    /** Prints a line of the result for people. With `--json`, prints nothing. */
    line(line: string): void {
      if (!json) writeLines(line);
    },
    /** Prints a message for people on standard error. With `--json`, prints nothing. */
    note(line: string): void {
      if (!json) printError(`${styledLine(line)}\n`);
    },
    tableOf,
    list: <Item>(items: readonly Item[], none: string, cellsOf: CellsOf<Item>) =>
      result(items, () => (items.length === 0 ? none : tableOf(items, cellsOf))),
    fields,
  };
}

/** If the table is wider than the terminal, each row becomes a block with one line for each column. */
export function renderTable(rows: readonly Cells[], width: number, style: Style): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const table = [columns.map(style.bold), ...rows.map(Object.values<string>)];
  const widths = columns.map((_column, index) => Math.max(...table.map((cells) => stringWidth(cells[index] ?? ''))));
  const lines = table.map((cells) => cells.map((cell, index) => padEnd(cell, widths[index] ?? 0)).join('  '));
  if (stringWidth(lines[0] ?? '') > width) return inBlocks(rows.map((row) => renderFields(row, style)));
  return lines.map((line) => line.trimEnd());
}

const styled = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, styledLine(value)]));

/** Leaves out fields with an empty value. */
function renderFields(fields: Cells, style: Style): string[] {
  const shown = Object.entries(fields).filter(([, value]) => value !== '');
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  return shown.map(([name, value]) => `${padEnd(style.bold(name), width)}  ${value}`);
}

/** Returns the beginning of a response's body, as one line. */
export function shorten(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Color codes count as zero columns. */
const padEnd = (cell: string, width: number) => cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));

/** Shows the instant and how far it is from the service's time `nowMs`, such as `5 min ago` or `in 2 h 30 min`. */
export function formatInstant(instant: string | null | undefined, nowMs: number): string {
  if (instant == null) return '';
  const differenceMs = Date.parse(instant) - nowMs;
  if (Math.abs(differenceMs) < 1_000) return `${instant} (now)`;
  const length = formatDuration(Math.abs(differenceMs));
  return `${instant} (${differenceMs < 0 ? `${length} ago` : `in ${length}`})`;
}
