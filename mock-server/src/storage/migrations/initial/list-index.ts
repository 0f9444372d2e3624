import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Creates the index of a list: the columns of its filter, then the id. A list with one filter always has an index. With
 * several filters, the list uses the index of one and checks the others row by row.
 *
 * PostgreSQL would prefer to scan the primary key and skip rows that do not match, which may be the whole table. These
 * indexes use another collation with the same order, and the primary key cannot provide that order. See `listId` in
 * `storage/dialect.ts`.
 */
export async function createListIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  filter: readonly string[],
): Promise<void> {
  const id: RawBuilder<unknown> = isPostgres(db) ? sql`id collate "POSIX"` : sql`id`;
  await db.schema
    .createIndex(name)
    .on(table)
    .columns([...filter])
    .column(id as never)
    .execute();
}
