import type { SearchResult } from '@svc/contract';
import { matchScore } from '../../domain/search.ts';
import { selectFrom } from '../../storage/keyset.ts';
import type { EndpointTable } from '../../storage/schema/webhooks.ts';
import { listEndpoints } from '../../storage/statements/list-endpoints.ts';
import { answerPage } from '../list.ts';
import type { Handler } from '../operation.ts';

/** Searches what the workspace has: its webhook endpoints, by URL and description. At most 100, so they are ranked in memory. */
export const search: Handler<'search'> = async (request) => {
  const { services, scope, query } = request;
  const endpoints =
    query.type === 'profile' ? [] : await services.storage.read((queries) => listEndpoints(queries, scope.workspaceId));
  const hits = endpoints
    .map((endpoint) => ({ endpoint, score: matchScore(query.q, [endpoint.url, endpoint.description]) }))
    .filter(({ score }) => score > 0)
    .map(({ endpoint, score }) => ({ key: rankKey(score, endpoint.id), result: presentEndpointHit(endpoint) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return await answerPage(
    request,
    selectFrom(hits, (hit) => hit.key),
    (hit) => hit.key,
    (hit) => hit.result,
  );
};

/** Rises as hits get worse; equal ones stand by id. */
const rankKey = (score: number, id: string) => `${String(1_000_000 - score).padStart(7, '0')}:${id}`;

const presentEndpointHit = (endpoint: EndpointTable): SearchResult => ({
  id: endpoint.id,
  type: 'webhook_endpoint',
  title: endpoint.url,
  snippet: endpoint.description,
  url: `/v1/webhooks/endpoints/${endpoint.id}`,
});
