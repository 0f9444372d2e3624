import { type Server, startServer } from '@svc/mock-server';

/** A service with a workspace that is in use, as its owner sees it. */
export interface UsedService extends AsyncDisposable {
  url: string;
  apiKey: string;
  token: string;
  /** What the workspace contains, apart from times. */
  contents(): Promise<unknown>;
}

const KEY = 'svc_sk_test_of_a_workspace_in_use';
const TOKEN = 'svc_pat_test_of_its_admin';
const WORKSPACE = 'wsp_INUSE';

const seed = {
  users: [{ email: 'admin@used.test', name: 'Admin', tokens: [{ credential: TOKEN }] }],
  organizations: [
    {
      slug: 'used',
      name: 'Used',
      members: { 'admin@used.test': 'Admin' },
      workspaces: [
        {
          id: WORKSPACE,
          slug: 'one',
          name: 'One',
          timezone: 'Asia/Tokyo',
          apiKeys: [{ credential: KEY }],
          endpoints: [1, 2, 3].map((number) => ({ url: `https://own.test/${number}`, subscribedEvents: ['*'] })),
        },
        { slug: 'two', name: 'Two' },
      ],
    },
    { slug: 'other', name: 'Other', members: { 'admin@used.test': 'Viewer' }, workspaces: [{ slug: 'x', name: 'X' }] },
  ],
};

/** Starts a reference server whose only workspaces have endpoints and events of their own. */
export async function startUsedService(): Promise<UsedService> {
  const server: Server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', rateLimit: false });
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return await response.json();
  };
  await call('/_control/reset', { seed });
  const events = Array(30).fill({ workspaceId: WORKSPACE, type: 'lifecycle.evaluated' });
  await call('/_control/events', { events });
  return {
    url: server.url,
    apiKey: KEY,
    token: TOKEN,
    async contents() {
      const { workspace } = await call(`/v1/workspaces/${WORKSPACE}`);
      const { data } = await call('/v1/webhooks/endpoints');
      return { workspace: { ...workspace, updatedAt: null }, endpoints: data };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
