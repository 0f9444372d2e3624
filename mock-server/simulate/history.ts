export interface Change {
  position: number;
  kind:
    | 'accepted'
    | 'ended'
    /** The delivery's row in the queue or in `delivery_ends`, or the delivery's log, has changed. */
    | 'touched'
    /** A node without a session has changed the delivery's row in the queue, or ended the delivery. */
    | 'unfenced'
    | 'switched'
    | 'counted'
    | 'removed'
    | 'rotated'
    | 'replaced';
  /** The id of the delivery. For `replaced`, the id of the workspace. */
  id: string;
  endpoint_id: string;
  /**
   * For `ended`, the status. For `unfenced`, the name of the node. For `switched`, whether the endpoint is active now.
   */
  after: string | number | null;
  /** Whether the endpoint was active at the time of the change. Null if the endpoint was deleted. */
  active: number | null;
}

const trigger = (name: string, on: string, values: string, condition = '1') => `
  create temp trigger ${name} ${on} when (${condition}) and (select is_on from temp.switch) begin
    insert into history values (${values});
  end;`;

const touched = (table: string, row: 'old' | 'new', action: string, id = 'delivery_id') =>
  trigger(`${table}_${action}`, `after ${action} on main.${table}`, `'touched', ${row}.${id}, null, null, null`);

/** A session's id consists of its node's name and a number. */
const unfenced = (name: string, on: string) =>
  trigger(
    name,
    on,
    `'unfenced', new.delivery_id, null, (select name from temp.writer), null`,
    `(select name from temp.writer) is not null and not exists (
      select 1 from main.delivery_nodes where id like (select name from temp.writer) || ' %')`,
  );

/** Triggers that record the changes to deliveries and endpoints, in the order of the transactions. */
export const HISTORY = [
  `create temp table switch (is_on integer);
  insert into temp.switch values (1);
  create temp table writer (name text);
  insert into temp.writer values (null);
  create temp table history (kind text, id text, endpoint_id text, after, active integer);`,
  trigger('accepted', 'after insert on main.deliveries', `'accepted', new.id, new.endpoint_id, null, null`),
  touched('deliveries', 'old', 'delete', 'id'),
  trigger(
    'ended',
    'after insert on main.delivery_ends',
    `'ended', new.delivery_id, new.endpoint_id, new.status,
      (select active from main.webhook_endpoints where id = new.endpoint_id)`,
  ),
  unfenced('unfenced_end', 'after insert on main.delivery_ends'),
  unfenced('unfenced_move', 'after update on main.delivery_queue'),
  touched('delivery_ends', 'new', 'update'),
  touched('delivery_ends', 'old', 'delete'),
  ...['delivery_queue', 'delivery_attempts'].flatMap((table) => [
    touched(table, 'new', 'insert'),
    touched(table, 'new', 'update'),
    touched(table, 'old', 'delete'),
  ]),
  trigger(
    'switched',
    'after update of active on main.webhook_endpoints',
    `'switched', null, new.id, new.active, new.active`,
    'old.active <> new.active',
  ),
  trigger(
    'counted',
    'after update of consecutive_failures on main.webhook_endpoints',
    `'counted', null, new.id, null, null`,
  ),
  trigger('removed', 'after delete on main.webhook_endpoints', `'removed', null, old.id, null, null`),
  ...['insert', 'update', 'delete'].map((action) =>
    trigger(
      `rotated_${action}`,
      `after ${action} on main.webhook_secrets`,
      `'rotated', null, ${action === 'delete' ? 'old' : 'new'}.endpoint_id, null, null`,
    ),
  ),
  trigger('replaced', 'after delete on main.workspaces', `'replaced', old.id, null, null, null`),
].join('');
