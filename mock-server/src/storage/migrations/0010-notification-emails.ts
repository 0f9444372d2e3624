import type { Kysely } from 'kysely';

// Emails wait in a separate queue. Each belongs to one notification and is deleted after it is sent.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('read_at', 'bigint').execute();
  await db.schema
    .createTable('notification_emails')
    .addColumn('notification_id', 'text', (column) => column.primaryKey())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('lease_token', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .execute();
  await db.schema.createIndex('notification_emails_due').on('notification_emails').column('due_at').execute();
}
