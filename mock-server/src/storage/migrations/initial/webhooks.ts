import type { Kysely } from 'kysely';
import { createIndex, createListIndex } from './create-index.ts';

export async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_types')
    .addColumn('type', 'text', (column) => column.primaryKey())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('subject_type', 'text')
    .addColumn('subject_id', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // The span in which the event was accepted. The spans of its deliveries link to this span, even on other nodes.
    .addColumn('traceparent', 'text')
    .execute();
  await createListIndex(db, 'events_by_workspace', 'events', ['workspace_id']);
  await createListIndex(db, 'events_by_type', 'events', ['workspace_id', 'type']);
  await createListIndex(db, 'events_by_subject_id', 'events', ['workspace_id', 'subject_id']);
  await createListIndex(db, 'events_by_subject_type', 'events', ['workspace_id', 'subject_type']);

  await db.schema
    .createTable('replayed_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('original_event_id', 'text', (column) => column.notNull())
    .execute();
  // Retention uses this index to find the original events whose bodies are still needed for replays.
  await createIndex(db, 'replayed_events_by_original on replayed_events (original_event_id)');

  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('subscribed_events', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('api_version', 'text', (column) => column.notNull())
    .addColumn('consecutive_failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute();
  await createIndex(db, 'webhook_endpoints_by_workspace on webhook_endpoints (workspace_id, id)');

  await db.schema
    .createTable('webhook_secrets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('endpoint_id', 'text', (column) =>
      column.notNull().references('webhook_endpoints.id').onDelete('cascade'),
    )
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await createIndex(db, 'webhook_secrets_by_endpoint on webhook_secrets (endpoint_id, id)');

  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint')
    .execute();
  await createListIndex(db, 'notifications_by_user', 'notifications', ['user_id']);

  // Unsent emails wait in a separate table. Each email belongs to one notification, and is deleted after it is sent.
  await db.schema
    .createTable('notification_emails')
    .addColumn('notification_id', 'text', (column) => column.primaryKey())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('lease_token', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .execute();
  await createIndex(db, 'notification_emails_due on notification_emails (due_at)');
}
