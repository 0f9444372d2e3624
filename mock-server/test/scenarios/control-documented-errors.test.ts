import { request } from 'node:http';
import { API_HEADERS } from '@svc/contract';
import { type ControlOperationName, controlOperations } from '@svc/contract/control';
import { createControlDocument } from '@svc/contract/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportHandlers } from '../../src/http/control/export.ts';
import { serverHandlers } from '../../src/http/control/server.ts';
import { type ApiError, shuttingDown, toApiError } from '../../src/http/errors.ts';
import { createIntake } from '../../src/http/intake.ts';
import { StorageUnavailableError } from '../../src/storage/port.ts';
import { UnreadableSnapshotError } from '../../src/storage/statements/snapshots.ts';
import { type CallOptions, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

// The OpenAPI document of the control API has samples of each error. This server causes them, so that they stay true.

let api: TestApi;
let strict: TestApi;
beforeAll(async () => {
  [api, strict] = await Promise.all([startApi(), startApi({ adminToken: TEST_ADMIN_TOKEN })]);
});
afterAll(async () => {
  await Promise.all([api[Symbol.asyncDispose](), strict[Symbol.asyncDispose]()]);
});

interface Refusal {
  headers: Headers;
  body: unknown;
}

const call = (method: string, path: string, options: CallOptions = {}): Promise<Refusal> =>
  api.call(method, `/_control${path}`, options);
const post = (path: string, body: unknown) => call('POST', path, { body });
const of = (what: TestApi, path: string, options: CallOptions = {}) => what.call('GET', `/_control${path}`, options);

const user = { email: 'ada@acme.example', name: 'Ada Lovelace' };
const production = { organizationId: demo.acmeId, name: 'Acme Production', slug: 'acme-production' };
const session = { baseUrl: 'http://127.0.0.1' };

async function twice(path: string, body: unknown): Promise<Refusal> {
  await post(path, body);
  return await post(path, body);
}

async function withoutMembership(): Promise<Refusal> {
  const { body } = await api.call('POST', '/_control/users', { body: { email: 'eve@acme.example', name: 'Eve' } });
  const path = `/workspaces/${demo.production.id}/members/${body.user.id}`;
  return await call('PUT', path, { body: { role: 'None' } });
}

async function tooManyFaults(): Promise<Refusal> {
  await using own = await startApi();
  const fault = { target: 'api', effect: { status: 503 } };
  for (;;) {
    const answer = await own.call('POST', '/_control/faults', { body: fault });
    if (answer.status !== 201) return answer;
  }
}

async function adminSession(): Promise<Refusal> {
  const options = { credential: TEST_ADMIN_TOKEN, body: { admin: true } };
  const { body } = await strict.call('POST', '/_control/sessions', options);
  return await strict.call('POST', '/_control/sessions', { ...options, credential: body.credential });
}

async function ofDeletedEndpoint(): Promise<Refusal> {
  const endpoints = '/v1/webhooks/endpoints';
  const credential = demo.globex.key;
  const body = { url: 'https://example.com/hooks', subscribedEvents: ['lifecycle.*'] };
  const { endpoint } = (await api.call('POST', endpoints, { credential, body })).body;
  const { ping } = (await api.call('POST', `${endpoints}/${endpoint.id}/send-test-event`, { credential })).body;
  await api.call('DELETE', `${endpoints}/${endpoint.id}`, { credential });
  return await call('POST', `/deliveries/${ping.deliveryId}/signature`);
}

/** Node's `fetch` does not let a program choose the Host. */
const withHost = (host: string): Promise<Refusal> => {
  const { promise, resolve, reject } = Promise.withResolvers<Refusal>();
  request(new URL('/_control/clock', api.server.url), { headers: { host } }, async (response) => {
    const headers = new Headers(
      Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    resolve({ headers, body: JSON.parse((await response.toArray()).join('')) });
  })
    .on('error', reject)
    .end();
  return promise;
};

async function inStrictProfile(): Promise<Refusal> {
  await using own = await startApi({ strict: true });
  return await of(own, '/clock');
}

/** The server sends its id with every response. */
const thrown = ({ body, headers }: ApiError): Refusal => ({
  body,
  headers: new Headers({ ...headers, [API_HEADERS.requestId]: '1' }),
});
const rejected = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    () => Promise.reject(new Error('The call was not refused.')),
    (error) => thrown(toApiError(error)),
  );

const noMetrics = { intakeRefused() {} };
const wanted = (count: number) => Array.from({ length: count }, () => ({ workspaceId: 'wsp_1' }));

/** A server whose database is so slow would be needed to cause these two over HTTP. */
function refusedByFullQueue(): Promise<Refusal> {
  const intake = createIntake(noMetrics, 1);
  void intake.acceptEach(wanted(4096), () => Promise.withResolvers<never>().promise);
  return rejected(intake.acceptEach(wanted(1), async () => []));
}

function cutOffByDatabase(): Promise<Refusal> {
  const intake = createIntake(noMetrics);
  let isFirst = true;
  return rejected(
    intake.acceptEach(wanted(30), async (slice) => {
      if (!isFirst) throw new StorageUnavailableError('gone');
      isFirst = false;
      return slice.map(() => ({ deliveries: [] }));
    }),
  );
}

const withoutExportSlot = (): Promise<Refusal> =>
  rejected(
    exportHandlers.exportData({
      services: { exports: { running: 2 } },
      query: {},
    } as never),
  );

const damagedSnapshot = (): Promise<Refusal> => {
  const damage = new UnreadableSnapshotError('Line 3 of the export is broken: the line is not JSON.');
  return rejected(
    serverHandlers.restoreSnapshot({
      services: { snapshots: { restore: () => Promise.reject(damage) } },
      params: { name: 'a' },
    } as never),
  );
};

/** How to cause the errors that any call can have, by code and cause. */
const common: Readonly<Record<string, Readonly<Record<string, () => Promise<Refusal> | Refusal>>>> = {
  UNAUTHENTICATED: { token: () => of(strict, '/clock') },
  FORBIDDEN: {
    host: () => withHost('elsewhere.test'),
    origin: () => call('GET', '/clock', { headers: { origin: 'https://elsewhere.test' } }),
    strict: inStrictProfile,
  },
  PAYLOAD_TOO_LARGE: {
    body: () => call('POST', '/reset', { rawBody: new Uint8Array(64 * 2 ** 20 + 1) }),
  },
  URI_TOO_LONG: { target: () => call('GET', `/find?id=${'x'.repeat(9000)}`) },
  UNSUPPORTED_MEDIA_TYPE: { type: () => call('POST', '/settle', { headers: { 'content-type': 'text/plain' } }) },
  HEADERS_TOO_LARGE: { headers: () => call('GET', '/clock', { headers: { 'x-long': 'x'.repeat(33_000) } }) },
  INTERNAL: { fault: () => thrown(toApiError(new Error('a fault'))) },
  UNAVAILABLE: {
    database: () => thrown(toApiError(new StorageUnavailableError('gone', { outcome: 'unchanged' }))),
    closing: () => thrown(shuttingDown()),
  },
};

/** How to cause what is wrong with the input of any call. */
const invalid = {
  query: () => call('POST', '/settle?pageSize=5', { body: {} }),
  twice: () => call('POST', '/settle?limit=1&limit=2', { body: {} }),
  body: () => post('/settle', { pageSize: 5 }),
  json: () => call('POST', '/settle', { rawBody: '{' }),
};

type Table = typeof controlOperations;

/** The statuses of the errors that an operation names. The test of `wait` causes the one that has an answer. */
type OwnStatus<Name extends ControlOperationName> = Table[Name] extends { errors: infer Errors }
  ? Exclude<keyof Errors, 408>
  : never;

/** How to cause the errors that the table names, by operation and status, one for each cause. */
const own: {
  readonly [Name in ControlOperationName as [OwnStatus<Name>] extends [never] ? never : Name]: {
    readonly [Status in OwnStatus<Name>]: readonly (() => Promise<Refusal>)[];
  };
} = {
  wait: {
    404: ['deliveryId=whd_1', 'eventId=evt_1', 'endpointId=whe_1'].map((query) => () => call('GET', `/wait?${query}`)),
  },
  createEvent: {
    404: [() => post('/events', { workspaceId: 'wsp_1', type: 'lifecycle.evaluated' })],
    503: [refusedByFullQueue, cutOffByDatabase],
  },
  listDeliveriesOfEvent: { 404: [() => call('GET', '/events/evt_1/deliveries')] },
  createOrganization: { 409: [() => twice('/organizations', { name: 'Acme', slug: 'acme' })] },
  createWorkspace: {
    404: [() => post('/workspaces', { ...production, organizationId: 'org_1' })],
    409: [() => twice('/workspaces', production)],
  },
  createUser: { 409: [() => twice('/users', user)] },
  setOrganizationRole: {
    404: [
      () => call('PUT', '/organizations/org_1/members/usr_1', { body: { role: 'Admin' } }),
      () => call('PUT', `/organizations/${demo.acmeId}/members/usr_1`, { body: { role: 'Admin' } }),
    ],
  },
  setWorkspaceOverride: {
    404: [
      () => call('PUT', '/workspaces/wsp_1/members/usr_1', { body: { role: 'None' } }),
      () => call('PUT', `/workspaces/${demo.production.id}/members/usr_1`, { body: { role: 'None' } }),
    ],
    409: [withoutMembership],
  },
  listMembers: { 404: [() => call('GET', '/organizations/org_1/members')] },
  createCredential: {
    404: [
      () => post('/credentials', { kind: 'api_key', workspaceId: 'wsp_1' }),
      () => post('/credentials', { kind: 'personal_access_token', userId: 'usr_1' }),
    ],
  },
  revokeCredential: { 404: [() => call('DELETE', '/credentials/key_1')] },
  createSession: {
    401: [adminSession],
    404: [
      () => post('/sessions', { ...session, userId: 'usr_1', baseUrl: api.server.url }),
      () => post('/sessions', { ...session, workspaceId: 'wsp_1', baseUrl: api.server.url }),
    ],
  },
  importProfiles: {
    404: [() => call('PUT', '/workspaces/wsp_1/profiles', { body: [] })],
    415: [() => call('PUT', '/workspaces/wsp_1/profiles', { headers: { 'content-type': 'text/csv' } })],
  },
  listProfiles: { 404: [() => call('GET', '/workspaces/wsp_1/profiles')] },
  readProfile: {
    404: [
      () => call('GET', '/workspaces/wsp_1/profiles/prf_1'),
      () => call('GET', `/workspaces/${demo.production.id}/profiles/prf_1`),
    ],
  },
  deleteProfile: {
    404: [
      () => call('DELETE', '/workspaces/wsp_1/profiles/prf_1'),
      () => call('DELETE', `/workspaces/${demo.production.id}/profiles/prf_1`),
    ],
  },
  readDataSource: { 404: [() => call('GET', '/workspaces/wsp_1/data-source')] },
  setDataSource: { 404: [() => call('PUT', '/workspaces/wsp_1/data-source', { body: { kind: 'push' } })] },
  syncDataSource: {
    404: [() => call('POST', '/workspaces/wsp_1/data-source/sync')],
    409: [() => call('POST', `/workspaces/${demo.production.id}/data-source/sync`)],
  },
  evaluate: { 404: [() => call('POST', '/workspaces/wsp_1/evaluate')] },
  listEvaluations: { 404: [() => call('GET', '/workspaces/wsp_1/evaluations')] },
  readSchedule: { 404: [() => call('GET', '/workspaces/wsp_1/schedule')] },
  listAttempts: { 404: [() => call('GET', '/deliveries/whd_1/attempts')] },
  explainDelivery: { 404: [() => call('GET', '/deliveries/whd_1/explanation')] },
  listReplays: { 404: [() => call('GET', '/deliveries/whd_1/replays')] },
  signDelivery: { 404: [() => call('POST', '/deliveries/whd_1/signature')], 409: [ofDeletedEndpoint] },
  listEndpoints: { 404: [() => call('GET', '/endpoints?workspaceId=wsp_1')] },
  readEndpoint: { 404: [() => call('GET', '/endpoints/whe_1')] },
  readListenSecret: { 404: [() => call('GET', '/workspaces/wsp_1/listen-secret')] },
  useListenSecret: { 404: [() => call('PUT', '/endpoints/whe_1/listen-secret', {})] },
  readActivity: { 404: [() => call('GET', '/endpoints/whe_1/activity')] },
  readRequest: { 404: [() => call('GET', '/requests/req_1')] },
  createFault: { 409: [tooManyFaults] },
  endFault: { 404: [() => call('DELETE', '/faults/flt_1')] },
  restoreSnapshot: { 404: [() => call('POST', '/snapshots/nothing/restore')], 409: [damagedSnapshot] },
  deleteSnapshot: { 404: [() => call('DELETE', '/snapshots/nothing')] },
  find: { 404: [() => call('GET', '/find?id=whd_1')] },
  exportData: { 409: [withoutExportSlot] },
};

interface Documented {
  headers: object;
  content: { 'application/json': { examples: Record<string, { value: { error: { message: string } } }> } };
}

const document = createControlDocument('https://api.service.test') as {
  components: { responses: Record<string, Documented> };
  paths: Record<string, Record<string, { responses: Record<string, Documented | { $ref: string }> }>>;
};
const responsesOf = (name: ControlOperationName) => {
  const { method, path } = controlOperations[name];
  return document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
};
const samplesOf = (response: Documented | { $ref: string } | undefined) =>
  response && 'content' in response
    ? Object.entries(response.content['application/json'].examples).map(([cause, { value }]) => [cause, scrub(value)])
    : [];

/** What differs from one server to the next. */
const scrub = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/\b(org|wsp|usr|key|prf|whe|whd|evt|req|flt)_\w+/g, '$1_…')
      .replaceAll(/No such snapshot: [\w-]+/g, 'No such snapshot: …'),
  );

const withCauses = async (causes: Readonly<Record<string, () => Promise<Refusal> | Refusal>>) =>
  await Promise.all(Object.entries(causes).map(async ([name, cause]) => [name, scrub((await cause()).body)]));

test('Every sample of an error that any control call can have is what the server sends', async () => {
  const { REQUEST_TIMEOUT: _slow, ...responses } = document.components.responses;
  const caused = await Promise.all(
    Object.entries(common).map(async ([code, how]) => [code, await withCauses(how)] as const),
  );
  expect(Object.fromEntries(caused)).toEqual(
    Object.fromEntries(Object.entries(responses).map(([code, one]) => [code, samplesOf(one)])),
  );
  expect(await withCauses(invalid)).toEqual(samplesOf(responsesOf('settle')['400']));
  // A GET has no body that could be wrong.
  expect(samplesOf(responsesOf('readClock')['400'])).toEqual((await withCauses(invalid)).slice(0, 2));
});

test('Every sample of an error that the table names is what the server sends', async () => {
  const named = Object.entries(own).flatMap(([name, errors]) =>
    Object.entries<readonly (() => Promise<Refusal>)[]>(errors).map(([status, causes]) => ({ name, status, causes })),
  );
  for (const { name, status, causes } of named) {
    const documented = responsesOf(name as ControlOperationName)[status] as Documented;
    const samples = samplesOf(documented).filter(([cause]) => String(cause).startsWith('cause'));
    expect(JSON.stringify(documented), name).not.toContain('undefined');
    const caused = [];
    for (const cause of causes) {
      const { headers, body } = await cause();
      caused.push(scrub(body));
      for (const header of Object.keys(documented.headers)) expect(headers.has(header), `${name} ${header}`).toBe(true);
    }
    expect(caused, `${name} ${status}`).toEqual(samples.map(([, value]) => value));
  }
});
