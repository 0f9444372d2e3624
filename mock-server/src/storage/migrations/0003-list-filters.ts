import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

/** Indexes that already ended in the id and are created again. */
const KNOWN = {
  deliveries_by_workspace: ['deliveries', 'workspace_id'],
  deliveries_by_endpoint: ['deliveries', 'workspace_id', 'endpoint_id'],
  deliveries_by_status: ['deliveries', 'workspace_id', 'status'],
  deliveries_by_event_type: ['deliveries', 'workspace_id', 'event_type'],
  events_by_workspace: ['events', 'workspace_id'],
  events_by_type: ['events', 'workspace_id', 'type'],
  notifications_by_user: ['notifications', 'user_id'],
} as const;

/**
 * A list with one filter always has an index. With several filters, the list uses the index of one and checks the
 * others row by row. One common pair has its own index.
 */
const ADDED = {
  deliveries_by_endpoint_and_status: ['deliveries', 'workspace_id', 'endpoint_id', 'status'],
  events_by_subject_id: ['events', 'workspace_id', 'subject_id'],
  events_by_subject_type: ['events', 'workspace_id', 'subject_type'],
} as const;

// A page is read in the order of an index that ends in the id. PostgreSQL would prefer to scan the primary key and skip
// rows that do not match, which may be the whole table. These indexes use another collation with the same order, and
// the primary key cannot provide that order. See `listId` in `storage/dialect.ts`.
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  const id: RawBuilder<unknown> = postgres ? sql`id collate "POSIX"` : sql`id`;
  await db.schema.dropIndex('events_by_subject').execute();
  if (postgres) for (const name of Object.keys(KNOWN)) await db.schema.dropIndex(name).execute();
  for (const [name, [table, ...columns]] of Object.entries({ ...(postgres ? KNOWN : {}), ...ADDED })) {
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .column(id)
      .execute();
  }
}
