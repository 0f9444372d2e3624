import type { Queries } from '../port.ts';
import type { CredentialTable, OrganizationTable, UserTable, WorkspaceTable } from '../schema/tenants.ts';

/** Slugs, emails and hashes are unique by the tables' own constraints, so two nodes cannot take the same one. */
export async function insertOrganization(queries: Queries, organization: OrganizationTable): Promise<void> {
  await queries.insertInto('organizations').values(organization).execute();
}

export async function insertWorkspace(queries: Queries, workspace: WorkspaceTable): Promise<void> {
  await queries.insertInto('workspaces').values(workspace).execute();
}

export async function insertUser(queries: Queries, user: UserTable): Promise<void> {
  await queries.insertInto('users').values(user).execute();
}

export async function insertCredential(queries: Queries, credential: CredentialTable): Promise<void> {
  await queries.insertInto('credentials').values(credential).execute();
}
