import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import { createIndex } from './create-index.ts';

export async function createTenants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('logo', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('image', 'text')
    .addColumn('timezone', 'text')
    .addColumn('week_starts_on', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('workspaces_slug', ['organization_id', 'slug'])
    .execute();

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('organization_members')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('organization_members_key', ['user_id', 'organization_id'])
    .execute();
  await createIndex(db, 'organization_members_in_order on organization_members (organization_id, user_id)');

  await db.schema
    .createTable('workspace_overrides')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('workspace_overrides_key', ['user_id', 'workspace_id'])
    .execute();
  await createIndex(db, 'workspace_overrides_by_workspace on workspace_overrides (workspace_id)');

  await db.schema
    .createTable('credentials')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text')
    .addColumn('test', 'integer', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.references('workspaces.id'))
    .addColumn('user_id', 'text', (column) => column.references('users.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndex(db, 'credentials_by_workspace on credentials (workspace_id, id)');
  await createIndex(db, 'credentials_by_user on credentials (user_id, id)');

  // Each request overwrites its credential's row in this table. On PostgreSQL, the table is unlogged, so that a request
  // does not wait for the disk. After a crash, PostgreSQL empties an unlogged table, and all rate limit windows start
  // again.
  await db.schema
    .createTable('rate_limit_windows')
    .$call((table) =>
      isPostgres(db) ? table.modifyFront(sql`unlogged`).modifyEnd(sql`with (fillfactor = 50)`) : table,
    )
    .addColumn('credential_id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('taken', 'integer', (column) => column.notNull())
    .execute();
}
