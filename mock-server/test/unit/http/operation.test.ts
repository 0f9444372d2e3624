import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createCredentialLimit } from '../../../src/http/credential-limit.ts';
import { serveOperation } from '../../../src/http/operation.ts';
import type { Services } from '../../../src/http/services.ts';
import { createFairShare } from '../../../src/http/tenant-concurrency.ts';

test("A request without a workspace waits for the user's other tokens, and for no other user", async () => {
  const usersOfTokens = ['usr_busy', 'usr_busy', 'usr_other'];
  const services = {
    credentialLimit: createCredentialLimit(8),
    fairShare: () => Promise.reject(new Error('No workspace is known.')),
    userShare: createFairShare({ atOnceMax: 1, limitsWrites: true }),
    demoCredentials: true,
    timeline: { whileCurrent: (work: () => unknown) => work() },
    storage: {
      read: async () => {
        const user_id = usersOfTokens.shift();
        return { id: `tok_${usersOfTokens.length}`, kind: 'personal_access_token', user_id, test: 1, created_at: 0 };
      },
    },
  } as unknown as Services;
  const underWay: string[] = [];
  const held = Promise.withResolvers<void>();
  const app = new Hono().get(
    '/v1/workspaces',
    serveOperation(services, 'listWorkspaces', async ({ caller }) => {
      underWay.push(caller.credentialId);
      await held.promise;
      return { data: [], nextPageUrl: null, previousPageUrl: null };
    }),
  );
  const all = ['first', 'second', 'third'].map((name) =>
    app.request('/v1/workspaces', { headers: { authorization: `Bearer svc_pat_test_${name}` } }),
  );
  for (let pass = 0; pass < 20; pass++) await new Promise(setImmediate);
  expect(underWay).toEqual(['tok_2', 'tok_0']);
  held.resolve();
  for (const response of await Promise.all(all)) expect(response.status).toBe(200);
  expect(underWay).toEqual(['tok_2', 'tok_0', 'tok_1']);
});

test.each([
  { size: 16 * 1024, waits: false },
  { size: 16 * 1024 + 1, waits: true },
])("A body of $size bytes waits for the tenant's other large bodies: $waits", async ({ size, waits }) => {
  const services = {
    credentialLimit: createCredentialLimit(8),
    fairShare: (_tenant: string, _isRead: boolean, work: () => Promise<unknown>) => work(),
    largeBodies: createFairShare({ atOnceMax: 1, limitsWrites: true }),
    demoCredentials: true,
    timeline: { whileCurrent: (work: () => unknown) => work() },
    changes: { mark: () => {} },
    storage: {
      read: async () => ({ id: 'key_1', kind: 'api_key', workspace_id: 'wsp_busy', test: 1, created_at: 0 }),
    },
  } as unknown as Services;
  const held = Promise.withResolvers<void>();
  void services.largeBodies('wsp_busy', false, () => held.promise);
  const app = new Hono().patch(
    '/v1/workspaces/:workspaceId',
    serveOperation(services, 'updateWorkspace', async () => ({ workspace: {} }) as never),
  );
  let ended = false;
  const request = Promise.resolve(
    app.request('/v1/workspaces/wsp_busy', {
      method: 'PATCH',
      headers: { authorization: 'Bearer svc_sk_test_busy', 'content-type': 'application/json' },
      body: '{}'.padEnd(size),
    }),
  ).finally(() => {
    ended = true;
  });
  for (let pass = 0; pass < 20; pass++) await new Promise(setImmediate);
  expect(ended).toBe(!waits);
  held.resolve();
  expect((await request).status).toBe(200);
});
