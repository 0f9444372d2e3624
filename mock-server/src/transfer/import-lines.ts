import { ConfigError } from '../config/config.ts';
import { type Queries, refusesRows } from '../storage/port.ts';
import type { Database } from '../storage/schema/database.ts';
import {
  type Column,
  deleteTransferSettings,
  insertRowBatch,
  rebuildLanes,
  tableColumns,
} from '../storage/transfer/rows.ts';
import { TRANSFER_TABLES, type TransferRow } from '../storage/transfer/tables.ts';
import { problemOfRow } from './check-row.ts';
import { type ExportHeader, parseHeader } from './header.ts';

/** With 500 rows, no `insert` statement exceeds PostgreSQL's limit of 65,535 values. */
const BATCH = 500;

export interface ImportOptions {
  /** Checks the header before anything is written. */
  checkHeader(header: ExportHeader): Promise<void>;
  adapt?: ((table: keyof Database, row: TransferRow) => TransferRow) | undefined;
  onProgress?: ((rows: number) => void) | undefined;
}

type Line = { table: keyof Database; row: TransferRow } | { end: true; rows: number };

/**
 * Writes an export into an empty database. Returns the number of rows of each table.
 *
 * @throws {@link ConfigError} if a line is invalid, or if the file is empty, truncated or damaged.
 */
export async function importLines(
  queries: Queries,
  lines: AsyncIterable<string>,
  { checkHeader, adapt = (_table, row) => row, onProgress }: ImportOptions,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const columns = new Map<string, readonly Column[]>();
  let number = 0;
  let rows = 0;
  let end: number | undefined;
  let batch: { table: keyof Database; rows: TransferRow[] } | undefined;

  async function flush(): Promise<void> {
    const full = batch;
    batch = undefined;
    if (!full) return;
    try {
      await insertRowBatch(queries, full.table, full.rows);
    } catch (cause) {
      if (!refusesRows(cause)) throw cause;
      throw new ConfigError(
        `Cannot insert the rows before line ${number} into the table ${full.table}: ${(cause as Error).message}`,
        { cause },
      );
    }
    counts.set(full.table, (counts.get(full.table) ?? 0) + full.rows.length);
    onProgress?.(rows);
  }

  for await (const text of lines) {
    number++;
    if (number === 1) {
      await checkHeader(parseHeader(text));
      await deleteTransferSettings(queries);
      continue;
    }
    if (end !== undefined) throw broken(number, 'the line follows the closing line');
    const line = parseLine(text, number);
    if ('end' in line) {
      end = line.rows;
      continue;
    }
    const columnsOfTable = columns.get(line.table) ?? (await tableColumns(queries, line.table));
    columns.set(line.table, columnsOfTable);
    const problem = problemOfRow(line.table, columnsOfTable, line.row);
    if (problem !== undefined) throw broken(number, problem);
    rows++;
    if (batch && (batch.table !== line.table || batch.rows.length >= BATCH)) await flush();
    batch ??= { table: line.table, rows: [] };
    batch.rows.push(adapt(line.table, line.row));
  }
  await flush();
  if (number === 0) throw new ConfigError('The file is empty.');
  if (end === undefined)
    throw new ConfigError(`The file is truncated: it ends after line ${number}, and the closing line is missing.`);
  if (end !== rows) throw new ConfigError(`The file is damaged: it has ${rows} rows instead of ${end}.`);
  await rebuildLanes(queries);
  return counts;
}

const broken = (number: number, problem: string) =>
  new ConfigError(`Line ${number} of the export is broken: ${problem}.`);

function parseLine(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(number, 'the line is not JSON');
  }
  const { table, row, end, rows } = Object(value) as Record<string, unknown>;
  if (end === true && typeof rows === 'number') return { end, rows };
  if (!TRANSFER_TABLES.some(({ name }) => name === table)) throw broken(number, 'the schema has no such table');
  if (typeof row !== 'object' || row === null) throw broken(number, 'the line has no row');
  return { table: table as keyof Database, row: row as TransferRow };
}
