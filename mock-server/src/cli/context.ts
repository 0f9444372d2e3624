import type { ApiKeyClient, UserClient, WorkspaceClient } from '@svc/client';
import { createControlClient } from '../control-client/client.ts';
import { reach } from '../control-client/response.ts';
import { demoSeed } from '../storage/seed/demo.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { checkHttpUrl } from './check-http-url.ts';
import { orUsageError, UsageError } from './exit-codes.ts';
import { createOutput } from './output/output.ts';
import type { SharedOptions } from './shared-options.ts';

export type CommandContext = ReturnType<typeof createContext>;

export type Scope = ApiKeyClient | WorkspaceClient;

const TOKEN_PREFIX = 'svc_pat_';

export function createContext(
  { server: url, adminToken, apiKey, json, workspace }: SharedOptions,
  signal: AbortSignal,
) {
  checkHttpUrl('--server', url, {
    example: 'http://127.0.0.1:4010',
    advice: ' Pass --api-key or --admin-token.',
  });
  let hasResponse = false;
  const fetch: typeof boundedFetch = async (input, init) => {
    const response = await boundedFetch(input, init);
    hasResponse = true;
    return response;
  };
  const control = orUsageError('Cannot connect', () => createControlClient({ baseUrl: url, adminToken, fetch }));
  let found: Promise<string> | undefined;

  async function clientOf(kind: 'key' | 'token') {
    found ??= apiKey ? Promise.resolve(apiKey) : findDemo(url, kind, fetch, workspace);
    const credential = await found;
    const { createClient } = await import('@svc/client');
    const options = { baseUrl: url, maxRetries: 1, rateLimit: 'pace', fetch } as const;
    return credential.startsWith(TOKEN_PREFIX)
      ? { user: createClient({ ...options, accessToken: credential }) }
      : { key: createClient({ ...options, apiKey: credential }) };
  }

  async function api(): Promise<Scope> {
    const { user, key } = await clientOf('key');
    if (key) {
      // A real service may return another identity, because its shape is not documented.
      const own = workspace && (Object((await key.me.retrieve()).workspace).id ?? workspace);
      if (own === workspace) return key;
      const problem = apiKey ? `The API key belongs to ${own}.` : `No demo key belongs to ${workspace}.`;
      throw new UsageError(`${problem} Pass an API key of ${workspace} with --api-key.`);
    }
    if (workspace === undefined) {
      throw new UsageError('A personal access token can access several workspaces. Choose one with --workspace <id>.');
    }
    return user.workspace(workspace);
  }

  /** Returns the workspace id for calls to the control API, which does not know the workspace of an API key. */
  const workspaceId = async () => workspace ?? (await (await api()).me.retrieve()).workspace.id;

  /**
   * Creates a client for calls that only watch the server: no rate limits or injected faults apply to these calls.
   * Rejects if the control API is not accessible.
   */
  async function observe(id: string): Promise<Scope> {
    const { createClient } = await import('@svc/client');
    // A session credential expires, and a reset deletes it, so issue a new credential for each call.
    const issue = async () => (await control.createSession({ workspaceId: id, baseUrl: url })).credential;
    await issue();
    return createClient({ baseUrl: url, rateLimit: 'off', fetch, apiKey: issue });
  }

  return {
    url: url.replace(/\/+$/, ''),
    output: createOutput(json ?? false),
    control,
    signal,
    /** Whether the server has responded to a request of this command. */
    hasResponse: () => hasResponse,
    api,
    workspaceId,
    observe,
    /** Returns the client from `observe()`, or the client from `api()` if the control API is not accessible. */
    observer: async () => await observe(await workspaceId()).catch(api),
    async userApi(): Promise<UserClient> {
      const { user } = await clientOf('token');
      if (user) return user;
      throw new UsageError(
        'This command needs a personal access token (svc_pat_…): pass --api-key <token>, or set SVC_API_KEY.',
      );
    },
    /** Returns the service's time, or this machine's time if the control API is not accessible. */
    now: async () => {
      const reading = await control.readClock().catch(() => undefined);
      return reading ? Date.parse(reading.now) : Date.now();
    },
  };
}

/** Returns the first demo credential that does not get a 401, preferably a key of `workspace`. */
async function findDemo(url: string, kind: 'key' | 'token', fetch: typeof boundedFetch, workspace?: string) {
  let first: string | undefined;
  const keys = demoSeed.organizations.flatMap(({ workspaces }) => workspaces.flatMap(({ apiKeys }) => apiKeys));
  const tokens = demoSeed.users.flatMap(({ tokens }) => tokens);
  for (const { credential } of kind === 'key' ? keys : tokens) {
    const headers = { authorization: `Bearer ${credential}` };
    const response = await reach(new URL(url).origin, () => fetch(`${url.replace(/\/+$/, '')}/v1/me`, { headers }));
    if (response.status === 401) continue;
    first ??= credential;
    if (!workspace || Object(Object(await response.json().catch(() => {})).workspace).id === workspace)
      return credential;
  }
  if (first !== undefined) return first;
  throw new UsageError(
    'The server accepts none of the demo credentials. Pass your credential with --api-key or SVC_API_KEY.',
  );
}
