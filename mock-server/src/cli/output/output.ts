import { type Style, styleFor } from './style.ts';
import { renderFields, renderTable } from './table.ts';

/** Where a command writes: text for people, or JSON for programs. */
export interface Output {
  readonly json: boolean;
  readonly style: Style;
  /** Whether a person is watching. Progress and questions need one. */
  readonly interactive: boolean;
  /** The whole result: one JSON document, or the text that `text` returns. */
  result(value: unknown, text: () => string): void;
  /** One item of a stream: one line of JSON, or the text that `text` returns. */
  item(value: unknown, text: () => string): void;
  /** Progress for people, on standard error. */
  note(text: string): void;
  table(columns: readonly string[], rows: readonly (readonly string[])[]): string;
  fields(fields: readonly (readonly [string, string])[]): string;
}

export function createOutput(json: boolean, env: NodeJS.ProcessEnv = process.env): Output {
  const { stdout, stderr } = process;
  const style = styleFor(stdout, env);
  // A file or a pipe has no width.
  const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY;
  const write = (text: string) => void stdout.write(text === '' ? '' : `${text}\n`);
  return {
    json,
    style,
    interactive: !json && stdout.isTTY === true && stderr.isTTY === true,
    result: (value, text) => write(json ? JSON.stringify(value, null, 2) : text()),
    item: (value, text) => write(json ? JSON.stringify(value) : text()),
    note: (text) => {
      if (!json) stderr.write(`${text}\n`);
    },
    table: (columns, rows) => renderTable(columns, rows, { width, style }),
    fields: (fields) => renderFields(fields, style),
  };
}
