import type { Queries } from '../port.ts';
import type { WorkspaceTable } from '../schema/tenants.ts';

/** The table's constraint keeps the slug unique within the organization. */
export async function insertWorkspace(queries: Queries, workspace: WorkspaceTable): Promise<void> {
  await queries.insertInto('workspaces').values(workspace).execute();
}
