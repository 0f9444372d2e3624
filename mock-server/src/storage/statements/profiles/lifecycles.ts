import { sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import { lockingRows } from '../../dialect.ts';
import type { Queries } from '../../port.ts';
import type { LifecycleTable } from '../../schema/profiles.ts';

export const findLifecycle = async (queries: Queries, workspaceId: string): Promise<LifecycleTable | undefined> =>
  await queries.selectFrom('lifecycles').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst();

/**
 * Locks the lifecycle row of a workspace until the transaction ends. If the row does not exist, it is created. Every
 * transaction that writes profiles of a workspace locks this row first, so these transactions take turns and cannot
 * deadlock.
 */
export async function lockLifecycle(queries: Queries, workspaceId: string): Promise<LifecycleTable> {
  const known = await lock(queries, workspaceId);
  if (known) return known;
  await queries
    .insertInto('lifecycles')
    .values({ workspace_id: workspaceId, next_trigger: 'schedule', lease_token: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await lock(queries, workspaceId)) as LifecycleTable;
}

async function lock(queries: Queries, workspaceId: string): Promise<LifecycleTable | undefined> {
  const { rows } = await sql<LifecycleTable>`
    select workspace_id, due_at, next_evaluation_at, next_trigger, source, next_sync_at, last_sync, cycle_id,
      cycle_trigger, cycle_started_at, lease_token, lease_until
    from lifecycles where workspace_id = ${workspaceId} ${lockingRows(queries)}`.execute(queries);
  return rows[0];
}

/** Saves a row that the transaction has locked. */
export async function saveLifecycle(queries: Queries, row: LifecycleTable): Promise<void> {
  const { workspace_id, due_at: _due, lease_token: _token, lease_until: _until, ...rest } = row;
  await queries
    .updateTable('lifecycles')
    .set({ ...rest, due_at: dueAtOf(row) })
    .where('workspace_id', '=', workspace_id)
    .execute();
}

function dueAtOf({ next_evaluation_at, next_sync_at, cycle_id, cycle_started_at }: LifecycleTable): Instant | null {
  const dues = [next_evaluation_at, next_sync_at, cycle_id === null ? null : cycle_started_at];
  return dues.filter((at) => at !== null).sort((a, b) => a - b)[0] ?? null;
}

/**
 * Whether an evaluation or a sync, running or not, is due at an instant. The query costs one lookup in the index by due
 * time.
 */
export async function isLifecycleDue(queries: Queries, at: Instant): Promise<boolean> {
  return (await countDueLifecycles(queries, at, 1)) > 0;
}

/** Finds the first time after an instant at which an evaluation or a sync is due. */
export async function findNextLifecycleDueAfter(queries: Queries, at: Instant): Promise<Instant | undefined> {
  const row = await queries
    .selectFrom('lifecycles')
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('due_at', '>', at)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

/** Counts the workspaces with a due evaluation or sync, up to a limit. */
export async function countDueLifecycles(queries: Queries, at: Instant, limit: number): Promise<number> {
  const rows = await queries
    .selectFrom('lifecycles')
    .select('workspace_id')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.length;
}

/** Makes an evaluation due immediately, because the workspace's time zone or first day of the week has changed. */
export async function scheduleCalendarChange(queries: Queries, workspaceId: string, now: Instant): Promise<void> {
  const known = await findLifecycle(queries, workspaceId);
  if (!known || known.next_evaluation_at === null) return;
  const row = await lockLifecycle(queries, workspaceId);
  if (row.next_evaluation_at === null) return;
  await saveLifecycle(queries, { ...row, next_evaluation_at: now, next_trigger: 'calendar' });
}
