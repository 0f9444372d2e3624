import { type Operation, type OperationName, operations } from '@svc/contract';
import { type ControlOperation, type ControlOperationName, controlOperations } from '@svc/contract/control';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { followStream, type Message } from '../../support/http/follow-stream.ts';
import { startReceiver } from '../../support/receiver.ts';

// The dashboard reads again what a message names. A call that changes something and does not say so leaves it stale.

let api: TestApi;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  receiver = await startReceiver(204);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

type Write<Table> = { [Name in keyof Table]: Table[Name] extends { method: 'GET' } ? never : Name }[keyof Table];

/** Prepares a call, and returns the call. */
type Prepare = () => Promise<() => Promise<unknown>>;

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: never }> {
  const answer = await api.call<never>(method, path, { credential: demo.production.key, ...(body && { body }) });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer;
}
const control = (method: string, path: string, body?: object) => call(method, `/_control${path}`, body);

/** A call that needs no preparation. */
const only =
  (...args: Parameters<typeof call>): Prepare =>
  async () =>
  () =>
    call(...args);
const onlyControl = (method: string, path: string, body?: object) => only(method, `/_control${path}`, body);

const workspace = demo.production.id;
let names = 0;
const name = () => `name-${++names}`;

const endpoint = () => ({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
async function endpointId(): Promise<string> {
  const { body } = await call('POST', '/v1/webhooks/endpoints', endpoint());
  return (body as { endpoint: { id: string } }).endpoint.id;
}
async function deliveryId(): Promise<string> {
  const { body } = await call('POST', `/v1/webhooks/endpoints/${await endpointId()}/send-test-event`);
  return (body as { ping: { deliveryId: string } }).ping.deliveryId;
}
async function userId(): Promise<string> {
  const { body } = await control('POST', '/users', { name: 'Ada', email: `${name()}@acme.example` });
  return (body as { user: { id: string } }).user.id;
}
async function memberId(): Promise<string> {
  const id = await userId();
  await control('PUT', `/organizations/${demo.acmeId}/members/${id}`, { role: 'Admin' });
  return id;
}
async function faultId(): Promise<string> {
  const { body } = await control('POST', '/faults', { target: 'api', effect: { status: 503 }, times: 1 });
  return (body as { fault: { id: string } }).fault.id;
}
async function snapshot(): Promise<string> {
  const chosen = name();
  await control('POST', `/snapshots/${chosen}`);
  return chosen;
}
const profiles = [{ externalId: 'u1', name: 'Ada' }];
const inWorkspace = `/workspaces/${workspace}`;

const writes: { readonly [Name in Write<typeof operations>]: Prepare } = {
  updateWorkspace: only('PATCH', `/v1/workspaces/${workspace}`, { name: 'Changed' }),
  createWebhookEndpoint: async () => () => endpointId(),
  updateWebhookEndpoint: async () => {
    const id = await endpointId();
    return () => call('PATCH', `/v1/webhooks/endpoints/${id}`, { active: false });
  },
  deleteWebhookEndpoint: async () => {
    const id = await endpointId();
    return () => call('DELETE', `/v1/webhooks/endpoints/${id}`);
  },
  rotateWebhookSecret: async () => {
    const id = await endpointId();
    return () => call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`);
  },
  sendTestEvent: async () => {
    const id = await endpointId();
    return () => call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`);
  },
  replayWebhookDelivery: async () => {
    const id = await deliveryId();
    return () => call('POST', `/v1/webhooks/deliveries/${id}/replay`);
  },
};

const controlWrites: { readonly [Name in Write<typeof controlOperations>]: Prepare } = {
  changeClock: onlyControl('POST', '/clock', { advance: 'PT1S' }),
  settle: onlyControl('POST', '/settle', { timeoutMs: 1 }),
  createEvent: onlyControl('POST', '/events', { workspaceId: workspace, type: 'lifecycle.evaluated' }),
  createOrganization: async () => () => control('POST', '/organizations', { name: name() }),
  createWorkspace: async () => () => control('POST', '/workspaces', { organizationId: demo.acmeId, name: name() }),
  createUser: async () => () => userId(),
  setOrganizationRole: async () => {
    const id = await userId();
    return () => control('PUT', `/organizations/${demo.acmeId}/members/${id}`, { role: 'Admin' });
  },
  setWorkspaceOverride: async () => {
    const id = await memberId();
    return () => control('PUT', `${inWorkspace}/members/${id}`, { role: 'None' });
  },
  createCredential: onlyControl('POST', '/credentials', { kind: 'api_key', workspaceId: workspace }),
  revokeCredential: async () => {
    const { body } = await control('POST', '/credentials', { kind: 'api_key', workspaceId: workspace });
    return () => control('DELETE', `/credentials/${(body as { id: string }).id}`);
  },
  createSession: async () => () =>
    control('POST', '/sessions', { workspaceId: workspace, baseUrl: new URL(api.server.url).origin }),
  importProfiles: onlyControl('PUT', `${inWorkspace}/profiles`, profiles),
  deleteProfile: async () => {
    await control('PUT', `${inWorkspace}/profiles`, [{ externalId: 'gone' }]);
    const { body } = await control('GET', `${inWorkspace}/profiles`);
    const [found] = (body as { data: { id: string }[] }).data;
    return () => control('DELETE', `${inWorkspace}/profiles/${found?.id}`);
  },
  setDataSource: onlyControl('PUT', `${inWorkspace}/data-source`, { kind: 'push' }),
  // A read that fails is reported, too.
  syncDataSource: async () => {
    await control('PUT', `${inWorkspace}/data-source`, { kind: 'ndjson', location: '/nowhere/profiles.ndjson' });
    return () => control('POST', `${inWorkspace}/data-source/sync`);
  },
  evaluate: onlyControl('POST', `${inWorkspace}/evaluate`),
  createFault: async () => () => faultId(),
  clearFaults: async () => {
    await faultId();
    return () => control('DELETE', '/faults');
  },
  endFault: async () => {
    const id = await faultId();
    return () => control('DELETE', `/faults/${id}`);
  },
  useListenSecret: async () => {
    const id = await endpointId();
    return () => control('PUT', `/endpoints/${id}/listen-secret`);
  },
  signDelivery: async () => {
    const id = await deliveryId();
    return () => control('POST', `/deliveries/${id}/signature`);
  },
  saveSnapshot: async () => () => snapshot(),
  deleteSnapshot: async () => {
    const saved = await snapshot();
    return () => control('DELETE', `/snapshots/${saved}`);
  },
  restoreSnapshot: async () => {
    const saved = await snapshot();
    return () => control('POST', `/snapshots/${saved}/restore`);
  },
  reset: onlyControl('POST', '/reset', {}),
};

/** The names of what the messages report. Every call of `/v1` is a request. */
const reported = (messages: readonly Message[]) =>
  new Set(
    messages
      .flatMap(({ event, data }) => (event === 'changed' ? Object.keys(data) : []))
      .filter((key) => key !== 'requests'),
  );

/** What the messages after a call report, until `isEnough`. */
async function reportedBy(prepare: Prepare, isEnough: (names: ReadonlySet<string>) => boolean): Promise<Set<string>> {
  const run = await prepare();
  await control('POST', '/settle', {});
  await using stream = await followStream(api);
  await run();
  await vi.waitFor(() => expect(isEnough(reported(stream.messages))).toBe(true));
  return reported(stream.messages);
}

/** A call that changes nothing is followed by one that does. Then only that one is reported. */
const andThenTenants =
  (prepare: Prepare): Prepare =>
  async () => {
    const run = await prepare();
    return async () => {
      await run();
      await control('POST', '/organizations', { name: name() });
    };
  };

describe('A call that changes something says what: a page that shows it reads it again', () => {
  test.each(Object.entries(writes))('%s', async (called, prepare) => {
    const { changes = 'nothing' }: Operation = operations[called as OperationName];
    const expected = changes === 'nothing' ? [] : Object.keys(changes);
    expect(expected).not.toEqual([]);
    const isEnough = (names: ReadonlySet<string>) => expected.every((key) => names.has(key));
    expect([...(await reportedBy(prepare, isEnough))]).toEqual(expect.arrayContaining(expected));
  });

  test.each(Object.entries(controlWrites))('%s of the control API', async (called, prepare) => {
    const operation: ControlOperation = controlOperations[called as ControlOperationName];
    const changes = operation.method === 'GET' ? 'nothing' : operation.changes;
    if (changes === 'nothing') {
      const names = await reportedBy(andThenTenants(prepare), (found) => found.has('tenants'));
      expect([...names]).toEqual(['tenants']);
    } else {
      const expected = 'reported' in changes ? changes.reported : Object.keys(changes);
      const names = await reportedBy(prepare, (found) => expected.every((key) => found.has(key)));
      if (!('reported' in changes)) expect([...names]).toEqual(expected);
    }
  });
});
