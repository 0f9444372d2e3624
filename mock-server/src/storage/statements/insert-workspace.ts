import type { Queries } from '../port.ts';
import type { WorkspaceTable } from '../schema/tenants.ts';

/** The slug is unique within the organization by the table's own constraint. */
export async function insertWorkspace(queries: Queries, workspace: WorkspaceTable): Promise<void> {
  await queries.insertInto('workspaces').values(workspace).execute();
}
