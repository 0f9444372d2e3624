import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createTurns } from '../../../src/http/credential-turns.ts';
import { serveOperation } from '../../../src/http/operation.ts';
import type { Services } from '../../../src/http/services.ts';
import { createFairShare } from '../../../src/http/tenant-concurrency.ts';

test("A request without a workspace waits for the user's other tokens, and for no other user", async () => {
  const usersOfTokens = ['usr_busy', 'usr_busy', 'usr_other'];
  const services = {
    turns: createTurns(8),
    fairShare: () => Promise.reject(new Error('No workspace is known.')),
    userShare: createFairShare({ atOnceMax: 1, limitsWrites: true }),
    demoCredentials: true,
    timeline: { ensureCurrent: async () => {} },
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
