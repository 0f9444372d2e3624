import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createCredentialLimit } from '../../../src/http/credential-limit.ts';
import { ApiError } from '../../../src/http/errors.ts';
import { serveOperation } from '../../../src/http/operation.ts';
import type { Services } from '../../../src/http/services.ts';
import { createQuota } from '../../../src/runtime/quota.ts';
import type { SameData } from '../../../src/storage/checked-writes.ts';
import { DataReplacedError, StorageUnavailableError } from '../../../src/storage/port.ts';

const sameData: SameData = { checkWrite: async () => {}, checkRead: async () => {} };
/** The services of a server whose data is checked by `data`. */
const dataFrom = (data: SameData) => ({
  onSameData: () => ({}),
  timeline: { expectSameData: () => data, whileCurrent: (work: (data: SameData) => unknown) => work(data) },
});
/** The services of a server whose data is never replaced. */
const unchangedData = dataFrom(sameData);

/** The stored row of an API key. */
const keyOf = (workspace_id: string) => ({ id: 'key_1', kind: 'api_key', workspace_id, test: 1, created_at: 0 });

/** The services for requests that name a workspace. `read` replaces every read of the database. */
const servicesFor = (read: () => Promise<unknown>, others: object = unchangedData, limits: object = {}) =>
  ({
    limits: {
      credentials: createCredentialLimit(8),
      reads: (_tenant: string, work: () => Promise<unknown>) => work(),
      writes: (_tenant: string, work: () => Promise<unknown>) => work(),
      largeBodies: createQuota({ atOnceMax: 1 }),
      ...limits,
    },
    demoCredentials: true,
    changes: { mark: () => {} },
    storage: { read },
    ...others,
  }) as unknown as Services;

test("A request without a workspace waits for the user's other tokens, and for no other user", async () => {
  const usersOfTokens = ['usr_busy', 'usr_busy', 'usr_other'];
  const services = {
    limits: {
      credentials: createCredentialLimit(8),
      reads: () => Promise.reject(new Error('No workspace is known.')),
      users: createQuota({ atOnceMax: 1 }),
    },
    demoCredentials: true,
    ...unchangedData,
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
  ['GET', '/v1/search?q=a', 'search', 'longReads'],
  ['GET', '/v1/webhooks/endpoints', 'listWebhookEndpoints', 'longReads'],
  ['GET', '/v1/webhooks/deliveries/:deliveryId', 'retrieveWebhookDelivery', 'longReads'],
  ['GET', '/v1/webhooks/deliveries', 'listWebhookDeliveries', 'reads'],
  ['DELETE', '/v1/webhooks/endpoints/:endpointId', 'deleteWebhookEndpoint', 'writes'],
] as const)('%s %s waits for the quota of the requests of its kind', async (method, path, name, quota) => {
  const chosen: string[] = [];
  const chooser = (kind: string) => (_tenant: string, work: () => Promise<unknown>) => {
    chosen.push(kind);
    return work();
  };
  const quotas = { longReads: chooser('longReads'), reads: chooser('reads'), writes: chooser('writes') };
  const services = servicesFor(async () => keyOf('wsp_1'), { ...unchangedData, endpointChanged() {} }, quotas);
  const app = new Hono().on(
    method,
    path.replace('?q=a', ''),
    serveOperation(services, name, async () => ({}) as never),
  );
  const headers = { authorization: 'Bearer svc_sk_test_a' };
  await app.request(path.replace(/:\w+/, 'whd_1'), { method, headers });
  expect(chosen).toEqual([quota]);
});

test.each([
  { size: 16 * 1024, waits: false },
  { size: 16 * 1024 + 1, waits: true },
])("A body of $size bytes waits for the tenant's other large bodies: $waits", async ({ size, waits }) => {
  const services = servicesFor(async () => keyOf('wsp_busy'));
  const held = Promise.withResolvers<void>();
  void services.limits.largeBodies('wsp_busy', () => held.promise);
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

/**
 * Sends `GET /v1/me` with a key to a server whose data is replaced while the handler runs.
 *
 * @param ownerAfter - The workspace that has the key in the new data. Undefined if the key is unknown.
 */
async function requestDuringReset(ownerAfter: string | undefined) {
  let generation = 1;
  const dataOf = (expected: number): SameData => ({
    checkWrite: async () => {},
    async checkRead() {
      if (generation !== expected) throw new DataReplacedError();
    },
  });
  const timeline: Pick<Services['timeline'], 'expectSameData' | 'whileCurrent'> = {
    expectSameData: () => dataOf(generation),
    async whileCurrent(handle, { sameData = dataOf(generation) } = {}) {
      try {
        return await handle(sameData);
      } catch (error) {
        if (!(error instanceof DataReplacedError)) throw error;
        return await handle(dataOf(generation));
      }
    },
  };
  const services = servicesFor(
    async () => {
      const workspaceId = generation === 1 ? 'wsp_old' : ownerAfter;
      return workspaceId && keyOf(workspaceId);
    },
    { onSameData: () => ({}), timeline },
  );
  const handled: unknown[] = [];
  const seen: { workspaceId?: string | null } = {};
  const app = new Hono<{ Variables: { seen: typeof seen } }>().get(
    '/v1/me',
    async (c, next) => {
      c.set('seen', seen);
      await next();
    },
    serveOperation(services, 'retrieveIdentity', async ({ caller, scope }) => {
      handled.push([caller.kind === 'api_key' && caller.workspaceId, scope?.workspaceId]);
      generation = 2;
      return {} as never;
    }),
  );
  app.onError((error, c) => c.text('', error instanceof ApiError ? error.status : 500));
  const { status } = await app.request('/v1/me', { headers: { authorization: 'Bearer svc_sk_test_key' } });
  return { status, handled, logged: seen.workspaceId };
}

test('A write is not reported as failed because a read after its commit fails', async () => {
  const failsLater: SameData = {
    ...sameData,
    checkRead: () => Promise.reject(new StorageUnavailableError('The connection is lost.')),
  };
  const services = servicesFor(async () => keyOf('wsp_a'), dataFrom(failsLater));
  const app = new Hono().patch(
    '/v1/workspaces/:workspaceId',
    serveOperation(services, 'updateWorkspace', async () => ({ workspace: {} }) as never),
  );
  const headers = { authorization: 'Bearer svc_sk_test_key', 'content-type': 'application/json' };
  const { status } = await app.request('/v1/workspaces/wsp_a', { method: 'PATCH', headers, body: '{}' });
  expect(status).toBe(200);
});

test('A request whose data was replaced is handled again, with the rights of its credential in the new data', async () => {
  const first = ['wsp_old', 'wsp_old'];
  expect(await requestDuringReset('wsp_new')).toEqual({
    status: 200,
    handled: [first, ['wsp_new', 'wsp_new']],
    logged: 'wsp_new',
  });
});

test('A request whose credential is unknown in the new data is rejected', async () => {
  expect(await requestDuringReset(undefined)).toEqual({
    status: 401,
    handled: [['wsp_old', 'wsp_old']],
    logged: null,
  });
});
