import type { Kysely } from 'kysely';
import { creating } from './initial/creating.ts';
import { createDeliveries } from './initial/deliveries.ts';
import { createProfiles } from './initial/profiles.ts';
import { createTenants } from './initial/tenants.ts';
import { createWebhooks } from './initial/webhooks.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTenants(db);
  await createWebhooks(db);
  await createDeliveries(db);
  await createProfiles(db);

  const create = creating(db);
  await create('table settings (name text primary key, value text not null)');
  // A snapshot is an export that is stored in parts. So a node never needs to hold the whole export in memory.
  await create(`table snapshots (
    name text not null, part integer not null, lines text not null, created_at bigint not null,
    constraint snapshots_pkey primary key (name, part)
  )`);
}
