import { type Style, styledLine, styleFor } from './style.ts';
import { renderFields, renderTable } from './table.ts';
import { print, printError, terminal } from './terminal.ts';

/**
 * Lines of text, or a single line. A line feed inside a line is printed as `\\n`, like every other control character.
 */
export type Lines = string | readonly string[];

/** The output of a command: text for people, or JSON for programs. */
export interface Output {
  readonly json: boolean;
  readonly style: Style;
  /** Whether a user is at a terminal. Progress bars and questions appear only then. */
  readonly interactive: boolean;
  /** Prints the whole result: one JSON document, or the lines that `lines` returns. */
  result(value: unknown, lines: () => Lines): void;
  /** Prints one item of a stream: one line of JSON, or the lines that `lines` returns. */
  item(value: unknown, lines: () => Lines): void;
  /** Prints one line to standard error, to tell people about the progress. */
  note(line: string): void;
  table(columns: readonly string[], rows: readonly (readonly string[])[]): string[];
  /** Prints a result that is a list: a table, or `none` for an empty list. */
  list<Item>(items: readonly Item[], none: string, columns: readonly string[], cells: (item: Item) => string[]): void;
  fields(fields: readonly (readonly [string, string])[]): string[];
}

/** Joins the lines of several blocks, with an empty line between blocks. Leaves out blocks without lines. */
export const inBlocks = (...blocks: readonly Lines[]): string[] =>
  blocks.filter((block) => block.length > 0).flatMap((block, index) => [...(index > 0 ? [''] : []), ...[block].flat()]);

export function createOutput(json: boolean, env: NodeJS.ProcessEnv = process.env): Output {
  const { isTTY, bothAreTTY, columns: width } = terminal();
  const style = styleFor({ isTTY }, env);
  const write = (text: string) => print(text === '' ? '' : `${text}\n`);
  const writeLines = (lines: Lines) => write([lines].flat().map(styledLine).join('\n'));
  const result: Output['result'] = (value, lines) =>
    json ? write(JSON.stringify(value, null, 2)) : writeLines(lines());
  const table: Output['table'] = (columns, rows) =>
    renderTable(
      columns,
      rows.map((row) => row.map(styledLine)),
      { width, style },
    );
  return {
    json,
    style,
    interactive: !json && bothAreTTY,
    result,
    item: (value, lines) => (json ? write(JSON.stringify(value)) : writeLines(lines())),
    note: (line) => {
      if (!json) printError(`${styledLine(line)}\n`);
    },
    table,
    list: (items, none, columns, cells) =>
      result(items, () => (items.length === 0 ? none : table(columns, items.map(cells)))),
    fields: (fields) =>
      renderFields(
        fields.map(([name, value]) => [name, styledLine(value)] as const),
        style,
      ),
  };
}
