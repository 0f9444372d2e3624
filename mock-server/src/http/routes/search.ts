import type { SearchResult } from '@svc/contract';
import { MATCHES, type Match, matchedField, matchOf, searchedTexts } from '../../domain/search.ts';
import type { Bound } from '../../storage/keyset.ts';
import type { Queries } from '../../storage/port.ts';
import type { EndpointTable } from '../../storage/schema/webhooks.ts';
import { listEndpoints } from '../../storage/statements/endpoints.ts';
import { type FoundProfile, searchProfiles } from '../../storage/statements/profiles/search-profiles.ts';
import { respondWithPage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { searchWordsOf } from '../parse.ts';

export const search: Handler<'search'> = async (request) => {
  const { services, scope, query } = request;
  const words = searchWordsOf(query.q);
  const searches = (type: SearchResult['type']) => words.length > 0 && (query.type ?? type) === type;
  const endpoints = searches('webhook_endpoint')
    ? await services.storage.read((queries) => listEndpoints(queries, scope.workspaceId))
    : [];
  // A workspace has at most 100 endpoints, so the database need not rank them.
  const ranked = endpoints.flatMap((endpoint) => {
    const match = matchOf(words, [endpoint.url, endpoint.description]);
    return match ? [{ match, endpoint }] : [];
  });

  /** Returns the hits of one match level that are beyond the bound, nearest to the bound first. */
  async function select(queries: Queries, match: Match, bound: Bound, limit: number): Promise<Hit[]> {
    const wanted = { workspaceId: scope.workspaceId, words, match };
    const part = { bound: profileBound(bound), limit };
    const profiles = searches('profile') ? await searchProfiles(queries, wanted, part) : [];
    const hits = [
      ...profiles.map((profile) => hitOf(match, presentProfileHit(words, profile))),
      ...ranked
        .filter((one) => one.match === match)
        .map(({ endpoint }) => hitOf(match, presentEndpointHit(endpoint)))
        .filter((hit) => isBeyond(hit.suffix, bound)),
    ];
    const sign = bound.side === 'after' ? -1 : 1;
    return hits.sort((a, b) => (a.suffix < b.suffix ? -sign : sign)).slice(0, limit);
  }

  return await respondWithPage(
    request,
    async (queries, bound, limit) => {
      const hits: Hit[] = [];
      for (const part of boundsOf(bound)) {
        if (hits.length < limit) hits.push(...(await select(queries, part.match, part.bound, limit - hits.length)));
      }
      return hits;
    },
    (hit) => `${MATCHES.indexOf(hit.match)}${hit.suffix}`,
    (hit) => hit.result,
  );
};

interface Hit {
  match: Match;
  /** The id without its prefix, so that profiles and endpoints sort together. */
  suffix: string;
  result: SearchResult;
}

const PREFIX_LENGTH = 4;
const hitOf = (match: Match, result: SearchResult): Hit => ({ match, suffix: result.id.slice(PREFIX_LENGTH), result });

/** Splits a bound of the whole list by match level. A key consists of the index of a level and the suffix of an id. */
function boundsOf(bound: Bound): { match: Match; bound: Bound }[] {
  const { side, key } = bound;
  const at = key === undefined ? undefined : MATCHES[Number(key[0])];
  const parts = MATCHES.map((match) => ({
    match,
    bound: match === at ? { ...bound, key: key?.slice(1) } : { side, key: undefined, inclusive: false },
  }));
  if (side === 'before') parts.reverse();
  return at === undefined ? parts : parts.slice(parts.findIndex(({ match }) => match === at));
}

const profileBound = (bound: Bound): Bound => (bound.key === undefined ? bound : { ...bound, key: `prf_${bound.key}` });

function isBeyond(suffix: string, { side, key, inclusive }: Bound): boolean {
  if (key === undefined) return true;
  if (suffix === key) return inclusive;
  return side === 'after' ? suffix < key : suffix > key;
}

const presentProfileHit = (words: readonly string[], profile: FoundProfile): SearchResult => ({
  id: profile.id,
  type: 'profile',
  title: profile.name || profile.email || profile.externalId,
  snippet: matchedField(words, searchedTexts(profile)) ?? null,
  url: null,
});

const presentEndpointHit = (endpoint: EndpointTable): SearchResult => ({
  id: endpoint.id,
  type: 'webhook_endpoint',
  title: endpoint.url,
  snippet: endpoint.description,
  url: `/v1/webhooks/endpoints/${endpoint.id}`,
});
