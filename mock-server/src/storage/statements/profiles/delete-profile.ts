import type { Queries } from '../../port.ts';
import { lockLifecycle, saveLifecycle } from './lifecycle-row.ts';

/**
 * Deletes a profile. After the last one, the workspace has no further evaluations. @returns whether the profile
 * existed.
 */
export async function deleteProfile(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const found = await queries
    .selectFrom('profile_states')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', id)
    .executeTakeFirst();
  if (!found) return false;
  const lifecycle = await lockLifecycle(queries, workspaceId);
  await queries
    .deleteFrom('profile_states')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', id)
    .execute();
  await queries.deleteFrom('profiles').where('id', '=', id).execute();
  if (!(await hasProfiles(queries, workspaceId)))
    await saveLifecycle(queries, { ...lifecycle, next_evaluation_at: null });
  return true;
}

/** Whether a workspace has any profile. */
export async function hasProfiles(queries: Queries, workspaceId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('profile_states')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
