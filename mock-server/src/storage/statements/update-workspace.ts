import type { UpdateWorkspaceBody } from '@svc/contract';
import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';
import { updatedAt } from '../updated-at.ts';

/** Changes the given fields. The table's constraint keeps the slug unique, so two nodes cannot take the same one. */
export async function updateWorkspace(queries: Queries, id: string, change: UpdateWorkspaceBody, now: Instant) {
  const columns = {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.slug !== undefined && { slug: change.slug }),
    ...(change.timezone !== undefined && { timezone: change.timezone }),
    ...(change.weekStartsOn !== undefined && { week_starts_on: change.weekStartsOn }),
  };
  return await queries
    .updateTable('workspaces')
    .set({ ...columns, updated_at: updatedAt(columns, now) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
