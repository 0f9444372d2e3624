/**
 * A subject can be 64 KiB long, but a row of a PostgreSQL index can hold only 2,704 bytes. So the indexes of subjects
 * contain only the first 250 characters. For longer subjects, statements also compare the whole text, row by row.
 */
const startOf = (column: string, postgres: boolean) => (postgres ? `left(${column}, 250)` : column);

export const webhookDefinitions = (postgres: boolean, id: string): string[] => [
  'create table event_types (type text primary key, category text not null, description text not null)',
  `create table events (
    id text primary key, workspace_id text not null, type text not null, subject_type text, subject_id text,
    body text not null, created_at bigint not null, traceparent text
  )`,
  `create index events_by_workspace on events (workspace_id, ${id})`,
  `create index events_by_type on events (workspace_id, type, ${id})`,
  `create index events_by_subject_id on events (workspace_id, ${startOf('subject_id', postgres)}, ${id})`,
  `create index events_by_subject_type on events (workspace_id, ${startOf('subject_type', postgres)}, ${id})`,

  `create table replayed_events (
    id text primary key, workspace_id text not null, original_event_id text not null
  )`,
  // Retention uses this index to find the original events whose bodies are still needed by replays.
  'create index replayed_events_by_original on replayed_events (original_event_id)',

  `create table webhook_endpoints (
    id text primary key, workspace_id text not null references workspaces (id), url text not null, description text,
    subscribed_events text not null, active integer not null, api_version text not null,
    consecutive_failures integer default 0 not null,
    created_at bigint not null, updated_at bigint not null, disabled_at bigint
  )`,
  'create index webhook_endpoints_by_workspace on webhook_endpoints (workspace_id, id)',

  `create table webhook_secrets (
    id text primary key, endpoint_id text not null references webhook_endpoints (id) on delete cascade,
    salt text not null, hash text not null, preview text not null, sealed text,
    created_at bigint not null, expires_at bigint
  )`,
  'create index webhook_secrets_by_endpoint on webhook_secrets (endpoint_id, id)',

  `create table notifications (
    id text primary key, user_id text not null, workspace_id text not null, type text not null, endpoint_id text,
    created_at bigint not null
  )`,
  `create index notifications_by_user on notifications (user_id, ${id})`,

  // Contains the unsent emails: an email is deleted after it is sent.
  `create table notification_emails (
    notification_id text primary key references notifications (id) on delete cascade,
    due_at bigint not null, attempt integer not null, lease_token bigint not null, lease_until bigint
  )`,
  'create index notification_emails_due on notification_emails (due_at)',
];
