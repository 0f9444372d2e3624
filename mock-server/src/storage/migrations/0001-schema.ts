import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { deliveryDefinitions } from './initial/deliveries.ts';
import { profileDefinitions } from './initial/profiles.ts';
import { tenantDefinitions } from './initial/tenants.ts';
import { webhookDefinitions } from './initial/webhooks.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  // Each index for a filter ends with this column. The column's collation sorts in the same way as the primary key's
  // collation "C". If the index and the primary key had the same collation, PostgreSQL might scan the primary key
  // instead of a filter's index, and read almost the whole table to find the matching rows. See `listId`.
  const id = postgres ? 'id collate "POSIX"' : 'id';
  const definitions = [
    ...tenantDefinitions(postgres),
    ...webhookDefinitions(postgres, id),
    ...deliveryDefinitions(postgres, id),
    ...profileDefinitions(postgres, id),
    'create table settings (name text primary key, value text not null)',
    // A snapshot is an export that is stored in parts, so that no node needs to hold the whole export in memory.
    `create table snapshots (
      name text not null, part integer not null, lines text not null, created_at bigint not null,
      constraint snapshots_pkey primary key (name, part)
    )`,
  ];
  // Text columns sort by bytes, as on SQLite. So ids sort in the order of their creation in every locale.
  const byBytes = (definition: string) => definition.replaceAll(/\btext\b(?! collate)/g, 'text collate "C"');
  for (const definition of definitions) await sql.raw(postgres ? byBytes(definition) : definition).execute(db);
}
