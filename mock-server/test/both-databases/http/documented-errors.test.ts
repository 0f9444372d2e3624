import { type ErrorCode, PREVIOUS_SECRETS_MAX, RATE_LIMIT_REQUESTS } from '@svc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shuttingDown, toApiError } from '../../../src/http/errors.ts';
import { StorageUnavailableError } from '../../../src/storage/port.ts';
import { type CallOptions, failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

// The OpenAPI document has a sample of each error. This server causes them, so that the samples stay true.

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const asKey = { credential: demo.production.key };
const asViewer = { credential: demo.viewer, workspaceId: demo.production.id };
const endpoints = '/v1/webhooks/endpoints';
const inWorkspace = `/v1/workspaces/${demo.production.id}`;

async function createEndpoint(): Promise<string> {
  const body = { url: 'https://example.com/hooks', subscribedEvents: ['lifecycle.*'] };
  return (await api.call('POST', endpoints, { ...asKey, body })).body.endpoint.id;
}

/** A delivery of a ping, whose endpoint is then inactive or deleted. */
async function deliveryWithout(change: 'inactive' | 'deleted'): Promise<string> {
  const id = await createEndpoint();
  const { body } = await api.call('POST', `${endpoints}/${id}/send-test-event`, asKey);
  if (change === 'deleted') await api.call('DELETE', `${endpoints}/${id}`, asKey);
  else await api.call('PATCH', `${endpoints}/${id}`, { ...asKey, body: { active: false } });
  return body.ping.deliveryId;
}

async function rotateTooOften(): Promise<unknown> {
  const path = `${endpoints}/${await createEndpoint()}/rotate-secret`;
  for (let count = 0; count < PREVIOUS_SECRETS_MAX; count++) await api.call('POST', path, asKey);
  return refusal('POST', path, asKey);
}

async function createTooMany(): Promise<unknown> {
  const as = { credential: demo.globex.key, body: { url: 'https://example.com/', subscribedEvents: ['lifecycle.*'] } };
  for (;;) {
    const { status, body } = await api.call('POST', endpoints, as);
    if (status !== 201) return body;
  }
}

async function callTooOften(credential: string, limit: number): Promise<unknown> {
  await using limited = await startApi();
  const call = async () => (await limited.call('GET', '/v1/me', { credential })).body;
  await Promise.all(Array.from({ length: limit }, call));
  return await call();
}

const refusal = async (method: string, path: string, options: CallOptions = {}): Promise<unknown> =>
  (await api.call(method, path, options)).body;

const patch = (options: CallOptions) => refusal('PATCH', inWorkspace, { ...asKey, ...options });
const json = { 'content-type': 'application/json' };

const causes: Readonly<Partial<Record<ErrorCode, Record<string, () => unknown>>>> = {
  VALIDATION: {
    expand: () => refusal('GET', '/v1/organizations?expand=members', { credential: demo.owner }),
    page: () => refusal('GET', '/v1/events?page=x', asKey),
    query: () => refusal('GET', '/v1/events?limit=101', asKey),
    body: () => patch({ body: { timezone: '+02:00' } }),
    json: () => patch({ headers: json, rawBody: '{' }),
    scope: () => refusal('GET', '/v1/events', { credential: demo.owner }),
  },
  UNAUTHENTICATED: {
    missing: () => refusal('GET', '/v1/me'),
    malformed: () => refusal('GET', '/v1/me', { credential: 'secret' }),
    unknown: () => refusal('GET', '/v1/me', { credential: 'svc_sk_unknown' }),
  },
  FORBIDDEN: {
    role: () => refusal('POST', endpoints, { ...asViewer, body: {} }),
    workspace: () => refusal('GET', inWorkspace, { credential: demo.globex.key }),
    apiKey: () => refusal('GET', '/v1/workspaces', asKey),
  },
  NOT_FOUND: {
    endpointId: () => refusal('GET', `${endpoints}/whe_1`, asKey),
    deliveryId: () => refusal('GET', '/v1/webhooks/deliveries/whd_1', asKey),
    eventId: () => refusal('GET', '/v1/events/evt_1', asKey),
  },
  CONFLICT: {
    slug: () => patch({ body: { slug: 'staging' } }),
    endpoints: createTooMany,
    secrets: rotateTooOften,
    inactive: async () => refusal('POST', `/v1/webhooks/deliveries/${await deliveryWithout('inactive')}/replay`, asKey),
    deleted: async () => refusal('POST', `/v1/webhooks/deliveries/${await deliveryWithout('deleted')}/replay`, asKey),
  },
  PAYLOAD_TOO_LARGE: { body: () => patch({ headers: json, rawBody: 'x'.repeat(2 ** 20 + 1) }) },
  URI_TOO_LONG: { target: () => refusal('GET', `/v1/events?type=${'x'.repeat(9000)}`, asKey) },
  UNSUPPORTED_MEDIA_TYPE: {
    type: () => patch({ headers: { 'content-type': 'text/plain' }, rawBody: '{}' }),
    encoding: () => patch({ headers: { ...json, 'content-encoding': 'gzip' }, rawBody: '{}' }),
  },
  RATE_LIMITED: {
    apiKey: () => callTooOften(demo.production.key, RATE_LIMIT_REQUESTS.api_key),
    token: () => callTooOften(demo.owner, RATE_LIMIT_REQUESTS.personal_access_token),
  },
  HEADERS_TOO_LARGE: { headers: () => refusal('GET', '/v1/me', { headers: { 'x-long': 'x'.repeat(33_000) } }) },
  INTERNAL: { fault: () => toApiError(new Error('a fault')).body },
  UNAVAILABLE: {
    database: () => toApiError(new StorageUnavailableError('gone', { outcome: 'unchanged' })).body,
    closing: () => shuttingDown().body,
  },
  // `slow-request-bodies.test.ts` causes it: it needs a clock to move.
  REQUEST_TIMEOUT: { slow: () => failure('REQUEST_TIMEOUT', 'The request was not sent in time.') },
};

/** What differs from one time to the next: ids, times and what is left of a window. */
const scrub = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/\b(whe|whd|evt)_\w+/g, '$1_…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/wait \d+ s/g, 'wait <seconds>'),
  );

interface Documented {
  content: { 'application/json': { examples: Record<string, { value: unknown }> } };
}

interface Operation {
  responses: Record<string, Documented>;
}

test('every sample of an error in the OpenAPI document is what the server sends', async () => {
  const { body } = await api.call('GET', '/openapi.json');
  const methods = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap(
    Object.values<Operation>,
  );
  const samplesOf = (responses: readonly (Documented | undefined)[]) =>
    Object.fromEntries(
      responses.flatMap((one) =>
        Object.entries(one?.content['application/json'].examples ?? {}).map(([name, { value }]) => [
          name,
          scrub(value),
        ]),
      ),
    );
  const common = Object.entries(body.components.responses as Record<string, Documented>);
  const documented = {
    ...Object.fromEntries(common.map(([code, one]) => [code, samplesOf([one])])),
    NOT_FOUND: samplesOf(methods.map(({ responses }) => responses['404'])),
    CONFLICT: samplesOf(methods.map(({ responses }) => responses['409'])),
  };
  const caused = await Promise.all(
    Object.entries(causes).map(async ([code, how]) => [
      code,
      Object.fromEntries(
        await Promise.all(Object.entries(how).map(async ([name, cause]) => [name, scrub(await cause())])),
      ),
    ]),
  );
  expect(Object.fromEntries(caused)).toEqual(documented);
});

test('every header of a response in the OpenAPI document is what the server sends', async () => {
  await using limited = await startApi();
  const { paths, components } = (await limited.call('GET', '/openapi.json')).body;
  const missing = (answer: { headers: Headers }, { headers }: { headers: object }) =>
    Object.keys(headers).filter((name) => !answer.headers.has(name));
  const success = await limited.call('GET', '/v1/me?colour=red', asKey);
  expect(Object.keys(paths['/v1/me'].get.responses['200'].headers)).toContain('Service-Ignored');
  expect(missing(success, paths['/v1/me'].get.responses['200'])).toEqual([]);
  expect(missing(await limited.call('GET', '/v1/me', asKey), paths['/v1/me'].get.responses['200'])).toEqual([
    'Service-Ignored',
  ]);
  const { UNAUTHENTICATED } = components.responses;
  expect(Object.keys(UNAUTHENTICATED.headers)).toContain('WWW-Authenticate');
  expect(missing(await limited.call('GET', '/v1/me'), UNAUTHENTICATED)).toEqual([]);
  expect(
    missing(await limited.call('GET', '/v1/events/evt_1', asKey), paths['/v1/events/{eventId}'].get.responses['404']),
  ).toEqual([]);
});
