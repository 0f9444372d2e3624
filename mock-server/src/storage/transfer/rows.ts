import { sql } from 'kysely';
import { FIRST_ATTEMPTS_AHEAD_MS } from '../delivery/lane-turns.ts';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { hasGeneratedForm } from '../statements/ids.ts';
import { rowNumbers } from '../statements/profiles/row-numbers.ts';
import { restored } from './portable.ts';
import { TRANSFER_SETTINGS, TRANSFER_TABLES, type TransferRow, type TransferTable } from './tables.ts';

const PAGE = 500;

/** Reads all rows of a table, page by page, in the order of the table's key. */
export async function* readRows(queries: Queries, { name, key }: TransferTable): AsyncGenerator<TransferRow> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: TransferRow | undefined;
  for (;;) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } = await sql<TransferRow>`
      select * from ${sql.table(name)} ${after ?? sql``} order by ${columns} limit ${sql.lit(PAGE)}`.execute(queries);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

export interface Column {
  name: string;
  /** The column's type, such as `text`, `integer` or `bigint`. */
  type: string;
  isNullable: boolean;
}

export async function tableColumns(queries: Queries, table: TransferTable['name']): Promise<Column[]> {
  const described = isPostgres(queries)
    ? sql`select column_name as name, data_type as type, case is_nullable when 'YES' then 1 else 0 end as nullable
        from information_schema.columns where table_schema = current_schema() and table_name = ${table}`
    : sql`select name, type, not ("notnull" or pk) as nullable from pragma_table_info(${table})`;
  const { rows } = await described.$castTo<{ name: string; type: string; nullable: number }>().execute(queries);
  return rows.map(({ name, type, nullable }) => ({ name, type: type.toLowerCase(), isNullable: nullable === 1 }));
}

export async function insertRowBatch(queries: Queries, table: keyof Database, rows: readonly TransferRow[]) {
  if (rows.length === 0) return;
  const values = rows.map((row) => restored(table, row));
  await queries
    .insertInto(table)
    .values((table === 'profiles' && !isPostgres(queries) ? await numbered(queries, values) : values) as never)
    .execute();
}

/**
 * Search requires that row numbers have the same order as the ids. The generated row numbers have this order, because
 * an export is sorted by id, and newer ids are higher.
 */
async function numbered(queries: Queries, rows: readonly TransferRow[]): Promise<TransferRow[]> {
  const idOf = (row: TransferRow) => String(row['id']);
  const seq = await rowNumbers(queries, rows.map(idOf), hasGeneratedForm);
  return rows.map((row) => ({ ...row, seq: seq.get(idOf(row)) ?? null }));
}

/** Whether all tables that an export contains are empty. Ignores the settings, because an import replaces them. */
export async function isEmpty(queries: Queries): Promise<boolean> {
  for (const { name } of TRANSFER_TABLES) {
    if (name === 'settings') continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(queries);
    if (rows.length > 0) return false;
  }
  return true;
}

export async function deleteTransferSettings(queries: Queries): Promise<void> {
  await queries.deleteFrom('settings').where('name', 'in', TRANSFER_SETTINGS).execute();
}

/** Creates a lane for each endpoint that has deliveries in the queue. There must be no lanes yet. */
export async function rebuildLanes(queries: Queries): Promise<void> {
  await sql`
    insert into delivery_lanes (endpoint_id, turn_at)
    select endpoint_id, min(case when retry = 0 then due_at - ${sql.lit(FIRST_ATTEMPTS_AHEAD_MS)} else due_at end)
    from delivery_queue group by endpoint_id`.execute(queries);
}
