import type { Kysely } from 'kysely';

// A snapshot is an export in parts, so that neither saving nor restoring holds all of it in memory.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('lines', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshots_pkey', ['name', 'part'])
    .execute();
}
