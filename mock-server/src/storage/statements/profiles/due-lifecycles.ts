import type { Instant } from '../../../domain/instant.ts';
import type { Queries } from '../../port.ts';

/** Whether an evaluation or a sync is due at an instant, running or not. One look-up in the index by due time. */
export async function isLifecycleDue(queries: Queries, at: Instant): Promise<boolean> {
  const row = await queries
    .selectFrom('lifecycles')
    .select('workspace_id')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When the next evaluation or sync is due after an instant. */
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

/** Counts the workspaces that are due, up to a limit. */
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
