import type { Kysely } from 'kysely';
import { createDeliveries } from './initial/deliveries.ts';
import { createProfiles } from './initial/profiles.ts';
import { createTenants } from './initial/tenants.ts';
import { createWebhooks } from './initial/webhooks.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTenants(db);
  await createWebhooks(db);
  await createDeliveries(db);
  await createProfiles(db);

  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  // A snapshot is an export that is split into parts, so that a node never holds the whole export in memory.
  await db.schema
    .createTable('snapshots')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('lines', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshots_pkey', ['name', 'part'])
    .execute();
}
