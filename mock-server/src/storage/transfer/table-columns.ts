import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { TransferTable } from './tables.ts';

/** The database's description of a column. */
export interface Column {
  name: string;
  /** The type of the column, such as `text`, `integer` or `bigint`. */
  type: string;
  isNullable: boolean;
}

/** The columns of a table. */
export async function tableColumns(queries: Queries, table: TransferTable['name']): Promise<Column[]> {
  const { rows } = isPostgres(queries)
    ? await sql<{ name: string; type: string; nullable: number }>`
        select column_name as name, data_type as type, case is_nullable when 'YES' then 1 else 0 end as nullable
        from information_schema.columns where table_schema = current_schema() and table_name = ${table}`.execute(
        queries,
      )
    : await sql<{ name: string; type: string; nullable: number }>`
        select name, type, not ("notnull" or pk) as nullable from pragma_table_info(${table})`.execute(queries);
  return rows.map(({ name, type, nullable }) => ({ name, type: type.toLowerCase(), isNullable: nullable === 1 }));
}
