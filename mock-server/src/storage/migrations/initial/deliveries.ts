/** Runs autovacuum sooner than its default, which is 20% of dead rows, because queries must skip dead rows. */
const VACUUM =
  'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0';

/**
 * Deliveries have no foreign keys, because they remain after their endpoint is deleted, and retention deletes them in
 * small steps. Each index costs one page write per attempt, so there are only the indexes that queries need.
 */
export function deliveryDefinitions(postgres: boolean, id: string): string[] {
  /** With this clause, SQLite stores a table's rows only in the index of the primary key. */
  const byKey = postgres ? '' : 'without rowid';
  /** See `listId` in `storage/dialect.ts`. */
  const deliveryId = `delivery_id text ${postgres ? 'collate "POSIX"' : ''} not null`;
  return [
    `create table deliveries (
      id text primary key, workspace_id text not null, endpoint_id text not null, event_id text not null,
      payload_event_id text not null, event_type text not null, created_at bigint not null
    )`,
    `create index deliveries_by_workspace on deliveries (workspace_id, ${id})`,
    `create index deliveries_by_event_type on deliveries (workspace_id, event_type, ${id})`,
    // Retention and the control API use this index to look up the deliveries of an event.
    'create index deliveries_by_event on deliveries (event_id)',

    `create table delivery_queue (
      endpoint_id text not null, retry integer not null, due_at bigint not null, ${deliveryId},
      workspace_id text not null, payload_event_id text not null, attempt integer not null,
      response_status integer, response_time_ms integer, error text,
      constraint delivery_queue_key primary key (endpoint_id, retry, due_at, delivery_id)
    ) ${postgres ? `with (${VACUUM})` : byKey}`,
    'create index delivery_queue_by_workspace on delivery_queue (workspace_id, delivery_id)',
    'create index delivery_queue_by_endpoint on delivery_queue (workspace_id, endpoint_id, delivery_id)',

    `create table delivery_ends (
      workspace_id text not null, status text not null, ${deliveryId}, endpoint_id text not null,
      attempt integer not null, ended_at bigint not null,
      response_status integer, response_time_ms integer, error text,
      constraint delivery_ends_key primary key (workspace_id, status, delivery_id)
    ) ${byKey}`,
    // This index is expensive: consecutive inserts belong to different endpoints, and so write to different pages.
    'create index delivery_ends_by_endpoint on delivery_ends (workspace_id, endpoint_id, status, delivery_id)',

    `create table delivery_attempts (
      delivery_id text not null, id text not null, number integer not null, url text not null,
      started_at bigint not null, ended_at bigint not null, request_headers text not null,
      response_status integer, response_headers text, response_body text, response_time_ms integer not null,
      error text, late integer not null,
      constraint delivery_attempts_key primary key (delivery_id, id)
    ) ${byKey}`,

    'create table delivery_nodes (id text primary key, renewals bigint not null)',
    // Deleting a session's row frees the lanes that the session holds.
    `create table delivery_lanes (
      endpoint_id text primary key, turn_at bigint, node text references delivery_nodes (id) on delete set null
    ) ${postgres ? `with (fillfactor = 50, ${VACUUM})` : ''}`,
    // This index contains only free lanes, so that held lanes do not slow down a claim.
    'create index delivery_lanes_free on delivery_lanes (turn_at) where node is null',
    'create index delivery_lanes_held on delivery_lanes (node) where node is not null',
  ];
}
