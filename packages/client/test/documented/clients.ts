import { type ApiKeyClient, createClient, type UserClient, type WorkspaceId } from '@svc/client';

const baseUrl = 'https://api.example.com';
declare function readSecret(name: string): Promise<string>;

// #region api-key
/** A client with an API key. The key belongs to one workspace. */
export const svc = createClient({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl });
// #endregion api-key

// #region user
/** A client with a personal access token, for all of the user's organizations and workspaces. */
export const user = createClient({ accessToken: process.env['SVC_ACCESS_TOKEN'] ?? '', baseUrl });
// #endregion user

// #region rotating
/** Reads the API key before each attempt, so a rotated key takes effect at once. */
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

// #region with-options
/** Returns a client that sends the request's trace and ends each call after 2 s. */
export function inRequest(request: Request): ApiKeyClient {
  const traceparent = request.headers.get('traceparent') ?? '';
  return svc.withOptions({ headers: { traceparent }, deadlineMs: 2000 });
}
// #endregion with-options

// #region close
export async function nameOfWorkspace(): Promise<string> {
  await using client = createClient({ apiKey: process.env['SVC_API_KEY'] ?? '', baseUrl, maxRetries: 0 });
  return (await client.me.retrieve()).workspace.name;
}
// #endregion close
