import { createClient, type UserClient, type WorkspaceId } from '@svc/client';

const baseUrl = 'https://api.example.com';
declare function readSecret(name: string): Promise<string>;

// #region api-key
/** Bound to one workspace: what an API key can do. */
export const svc = createClient({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl });
// #endregion api-key

// #region user
/** A user, across organizations and workspaces: what a personal access token can do. */
export const user = createClient({ accessToken: process.env['SVC_ACCESS_TOKEN'] ?? '', baseUrl });
// #endregion user

// #region rotating
/** Asked for its credential on each attempt, so that a rotated one is used at once. */
export const rotating = createClient({ apiKey: () => readSecret('svc-api-key'), baseUrl });
// #endregion rotating

// #region workspace
export async function countEndpoints(of: UserClient, workspaceId: WorkspaceId): Promise<number> {
  const { data } = await of.workspace(workspaceId).webhooks.endpoints.list();
  return data.length;
}

export async function rename(of: UserClient, workspaceId: string, name: string): Promise<string> {
  const workspace = of.workspace(workspaceId);
  await workspace.update({ name });
  return (await workspace.retrieve()).slug;
}
// #endregion workspace

// #region close
export async function nameOfWorkspace(): Promise<string> {
  await using client = createClient({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl, maxRetries: 0 });
  return (await client.me.retrieve()).workspace.name;
}
// #endregion close
