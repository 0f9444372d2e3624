import type { UpdateWorkspaceBody } from '@svc/contract';
import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';
import type { WorkspaceTable } from '../schema/tenants.ts';
import { findWorkspace, updateWorkspace } from '../statements/workspaces.ts';

/**
 * Updates a workspace. After a change of the time zone or of the first day of the week, the next evaluation is due
 * immediately. Returns undefined if there is no such workspace.
 */
export async function changeWorkspace(
  queries: Queries,
  workspaceId: string,
  changes: UpdateWorkspaceBody,
  now: Instant,
): Promise<WorkspaceTable | undefined> {
  const before = await findWorkspace(queries, workspaceId);
  const after = await updateWorkspace(queries, workspaceId, changes, now);
  if (!before || !after) return undefined;
  const hasOtherCalendar = before.timezone !== after.timezone || before.week_starts_on !== after.week_starts_on;
  if (hasOtherCalendar) await evaluateSoon(queries, workspaceId, now);
  return after;
}

async function evaluateSoon(queries: Queries, workspaceId: string, now: Instant): Promise<void> {
  await queries
    .updateTable('lifecycles')
    .set({ next_evaluation_at: now, next_trigger: 'calendar', due_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('next_evaluation_at', 'is not', null)
    .execute();
}
