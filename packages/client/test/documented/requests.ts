import type {
  ApiKeyClient,
  ListEnvelope,
  Method,
  RequestOptions,
  Route,
  RouteBodies,
  RouteOf,
  RouteResponses,
} from '@svc/client';

// #region unknown
/** Calls a route that this version does not know. The result is the whole response body, typed as `unknown`. */
export async function exportOf(svc: ApiKeyClient, id: string): Promise<string> {
  const answer = await svc.request('POST', `/v1/exports/${encodeURIComponent(id)}/runs`, {
    query: { format: 'csv' },
    body: { columns: ['id', 'name'] },
    timeoutMs: 60_000,
  });
  return (answer as { run: { id: string } }).run.id;
}

/** A wrapper that sets the same options for every request. */
export const send = (svc: ApiKeyClient, method: Method, path: string, options: RequestOptions = {}) =>
  svc.request(method, path, { maxRetries: 0, ...options });
// #endregion unknown

// #region list
/** Reads a list from a route that this version does not know, page by page. */
export async function exports(svc: ApiKeyClient): Promise<{ id: string }[]> {
  const all = [];
  for (let url: string | null = '/v1/exports'; url !== null; ) {
    const page = (await svc.request('GET', url)) as ListEnvelope<{ id: string }>;
    all.push(...page.data);
    url = page.nextPageUrl;
  }
  return all;
}
// #endregion list

// #region routes
type Renamed = RouteResponses[RouteOf<'PATCH /v1/workspaces/wsp_1'>];
const rename: RouteBodies['PATCH /v1/workspaces/{workspaceId}'] = { name: 'Acme' };

/** Calls a known route. The query, the body and the response are typed. */
export async function renamed(svc: ApiKeyClient): Promise<Renamed> {
  return svc.request('PATCH', '/v1/workspaces/wsp_1', { body: rename });
}

/** Routes whose requests a test sends to the reference server. */
export const passedOn: ReadonlySet<Route> = new Set<Route>(['GET /v1/me', 'GET /v1/events']);
// #endregion routes
