import { type ClientOptions, createClient } from '@svc/client';
import {
  createMockTransport,
  cutOff,
  fixtures,
  pages,
  rateLimited,
  refused,
  silent,
  unreachable,
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

// #region options
export const optionsOf = ({ baseUrl, fetch }: typeof faults): ClientOptions => ({ baseUrl, fetch, timeoutMs: 50 });
// #endregion options
