import type {
  ApiKeyClient,
  ListEnvelope,
  Method,
  RequestOptions,
  Route,
  RouteAnswers,
  RouteBodies,
  RouteOf,
} from '@svc/client';

// #region unknown
/** A route that this version of the package does not know: the answer is `unknown`, whole and not unwrapped. */
export async function exportOf(svc: ApiKeyClient, id: string): Promise<string> {
  const answer = await svc.request('POST', `/v1/exports/${encodeURIComponent(id)}/runs`, {
    query: { format: 'csv' },
    body: { columns: ['id', 'name'] },
    timeoutMs: 60_000,
  });
  return (answer as { run: { id: string } }).run.id;
}

/** What every request of yours carries, whatever its route. */
export const send = (svc: ApiKeyClient, method: Method, path: string, options: RequestOptions = {}) =>
  svc.request(method, path, { maxRetries: 0, ...options });
// #endregion unknown

// #region list
/** A list of a route that this version does not know, page by page. */
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
type Renamed = RouteAnswers[RouteOf<'PATCH /v1/workspaces/wsp_1'>];
const rename: RouteBodies['PATCH /v1/workspaces/{workspaceId}'] = { name: 'Acme' };

/** A route that it knows: the query, the body and the answer are typed. */
export async function renamed(svc: ApiKeyClient): Promise<Renamed> {
  return svc.request('PATCH', '/v1/workspaces/wsp_1', { body: rename });
}

/** Routes that a test of yours leaves to the reference server. */
export const passedOn: ReadonlySet<Route> = new Set<Route>(['GET /v1/me', 'GET /v1/events']);
// #endregion routes
