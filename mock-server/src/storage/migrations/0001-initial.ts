import { type Kysely, sql } from 'kysely';

// Deliveries and attempts have no foreign keys. They outlive their endpoint, and retention deletes them in small steps.
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await db.schema
    .createIndex('organization_members_by_organization')
    .on('organization_members')
    .column('organization_id')
    .execute();

  await db.schema
    .createTable('workspace_overrides')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('workspace_overrides_key', ['user_id', 'workspace_id'])
    .execute();
  await db.schema
    .createIndex('workspace_overrides_by_workspace')
    .on('workspace_overrides')
    .column('workspace_id')
    .execute();

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
    .execute();
  await db.schema.createIndex('events_by_workspace').on('events').columns(['workspace_id', 'id']).execute();
  await db.schema.createIndex('events_by_type').on('events').columns(['workspace_id', 'type', 'id']).execute();
  await db.schema
    .createIndex('events_by_subject')
    .on('events')
    .columns(['workspace_id', 'subject_id', 'subject_type', 'id'])
    .execute();

  await db.schema
    .createTable('replayed_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('original_event_id', 'text', (column) => column.notNull())
    .execute();
  // Retention keeps an event as long as a replay needs its body.
  await db.schema
    .createIndex('replayed_events_by_original')
    .on('replayed_events')
    .column('original_event_id')
    .execute();

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
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_by_workspace')
    .on('webhook_endpoints')
    .columns(['workspace_id', 'id'])
    .execute();

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
  await db.schema
    .createIndex('webhook_secrets_by_endpoint')
    .on('webhook_secrets')
    .columns(['endpoint_id', 'id'])
    .execute();

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('payload_event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('delivered_at', 'bigint')
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('response_status', 'integer')
    .addColumn('response_time_ms', 'integer')
    .execute();
  await db.schema.createIndex('deliveries_by_workspace').on('deliveries').columns(['workspace_id', 'id']).execute();
  await db.schema
    .createIndex('deliveries_by_endpoint')
    .on('deliveries')
    .columns(['workspace_id', 'endpoint_id', 'id'])
    .execute();
  await db.schema
    .createIndex('deliveries_by_status')
    .on('deliveries')
    .columns(['workspace_id', 'status', 'id'])
    .execute();
  await db.schema
    .createIndex('deliveries_by_event_type')
    .on('deliveries')
    .columns(['workspace_id', 'event_type', 'id'])
    .execute();

  await db.schema
    .createTable('delivery_attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('request_headers', 'text', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_headers', 'text')
    .addColumn('response_body', 'text')
    .addColumn('response_time_ms', 'integer', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('late', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('delivery_attempts_by_delivery')
    .on('delivery_attempts')
    .columns(['delivery_id', 'id'])
    .execute();

  await db.schema
    .createTable('delivery_queue')
    .addColumn('delivery_id', 'text', (column) => column.primaryKey())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('retry', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('delivery_queue_by_lane')
    .on('delivery_queue')
    .columns(['endpoint_id', 'retry', 'due_at', 'delivery_id'])
    .execute();

  await db.schema
    .createTable('delivery_lanes')
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('head_due_at', 'bigint')
    .addColumn('turn_at', 'bigint')
    .addColumn('lease_token', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint')
    .execute();
  // A claim reads only lanes that nobody holds, so held lanes cost it nothing. The sweep reads only held lanes.
  await db.schema
    .createIndex('delivery_lanes_claimable')
    .on('delivery_lanes')
    .column('turn_at')
    .where(sql.ref('lease_until'), 'is', null)
    .execute();
  await db.schema
    .createIndex('delivery_lanes_leased')
    .on('delivery_lanes')
    .column('lease_until')
    .where(sql.ref('lease_until'), 'is not', null)
    .execute();

  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('notifications_by_user').on('notifications').columns(['user_id', 'id']).execute();

  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
