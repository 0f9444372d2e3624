import { type ClientOptions, createClient } from '@svc/client';
import {
  createMockTransport,
  cutOff,
  fixtures,
  type MockedOutcome,
  type MockedRequest,
  type MockedResult,
  pages,
  rateLimited,
  refused,
  silent,
  unreachable,
  type WireEvent,
  type WireOrganization,
} from '@svc/client/testing';

// #region mock
export async function test(): Promise<void> {
  const mock = createMockTransport().on('GET /v1/workspaces/{workspaceId}', {
    workspace: fixtures.workspace({ timezone: 'Europe/Berlin' }),
  });
  const svc = createClient({ apiKey: 'svc_sk_test_1', baseUrl: mock.baseUrl, fetch: mock.fetch });

  const workspace = await svc.workspaces.retrieve('wsp_1');

  console.assert(workspace.timezone === 'Europe/Berlin');
  console.assert(mock.requests[0]?.path === '/v1/workspaces/wsp_1');
}
// #endregion mock

// #region faults
export const faults = createMockTransport()
  .on('GET /v1/me', rateLimited(1), cutOff(), unreachable(), fixtures.identity())
  .on('GET /v1/events', pages([fixtures.event()], [], [fixtures.event({ type: 'webhook.ping' })]))
  .on('GET /v1/events/{eventId}', refused('NOT_FOUND'))
  .on('GET /v1/search', silent());
// #endregion faults

// #region outcome
/** Responds based on the request. */
export const renaming = createMockTransport().on('PATCH /v1/workspaces/{workspaceId}', ({ params, json }) => {
  const { name } = json();
  return params.workspaceId === 'wsp_1' && name !== undefined
    ? { workspace: fixtures.workspace({ name }) }
    : refused('NOT_FOUND');
});

type Forbidding = (request: MockedRequest) => MockedResult<never>;
const forbidden: Forbidding = ({ headers }) => refused('FORBIDDEN', { message: `Not for ${headers['x-tenant']}` });
export const strict = createMockTransport().on('GET /v1/me', forbidden satisfies MockedOutcome);
// #endregion outcome

// #region options
export const optionsOf = ({ baseUrl, fetch }: typeof faults): ClientOptions => ({ baseUrl, fetch, timeoutMs: 50 });
// #endregion options

// #region wire
/** Fixtures have wire types, which describe what the service sends. */
const ping: WireEvent = fixtures.event({ type: 'webhook.ping' });
const organizations: WireOrganization[] = ['Acme', 'Globex'].map((name) => fixtures.organization({ name }));

export const staged = createMockTransport()
  .on('GET /v1/events/{eventId}', ping)
  .on('GET /v1/organizations', pages(organizations));
// #endregion wire
