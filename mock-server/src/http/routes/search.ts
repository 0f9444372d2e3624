import type { SearchResult } from '@svc/contract';
import { MATCHES, type Match, matchedField, matchOf, searchedTexts } from '../../domain/search.ts';
import type { Bound } from '../../storage/keyset.ts';
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
  // A workspace has at most 100 endpoints, so rank the endpoints here instead of in the database.
  const ranked = endpoints.flatMap((endpoint) => {
    const match = matchOf(words, [endpoint.url, endpoint.description]);
    return match ? [hitOf(match, presentEndpointHit(endpoint))] : [];
  });

  return await respondWithPage(
    request,
    async (queries, bound, limit) => {
      const hits: Hit[] = [];
      for (const { match, bound: part } of searches('profile') ? boundsOf(bound) : []) {
        const wanted = { workspaceId: scope.workspaceId, words, match };
        const profiles = await searchProfiles(queries, wanted, { bound: part, limit: limit - hits.length });
        hits.push(...profiles.map((profile) => hitOf(match, presentProfileHit(words, profile))));
        if (hits.length >= limit) break;
      }
      hits.push(...ranked.filter(({ key }) => isBeyond(key, bound)));
      const sign = bound.side === 'after' ? -1 : 1;
      return hits.sort((a, b) => (a.key < b.key ? -sign : sign)).slice(0, limit);
    },
    (hit) => hit.key,
    (hit) => hit.result,
  );
};

interface Hit {
  /** The match level's rank, then the id without its prefix: the prefix would separate endpoints from profiles. */
  key: string;
  result: SearchResult;
}

/** The match levels, from worst to best. A level's index is its rank. The highest rank comes first in the results. */
const LEVELS = MATCHES.toReversed();
const PREFIX_LENGTH = 4;
const hitOf = (match: Match, result: SearchResult): Hit => ({
  key: `${LEVELS.indexOf(match)}${result.id.slice(PREFIX_LENGTH)}`,
  result,
});

/** Converts a bound of the whole list into bounds for profile ids: one bound for each match level. */
function boundsOf({ side, key, inclusive }: Bound): { match: Match; bound: Bound }[] {
  const levels = side === 'after' ? MATCHES : LEVELS;
  const at = key === undefined ? undefined : LEVELS[Number(key[0])];
  return levels.slice(at && levels.indexOf(at)).map((match) => ({
    match,
    bound: match === at ? { side, key: `prf_${key?.slice(1)}`, inclusive } : { side, key: undefined, inclusive: false },
  }));
}

function isBeyond(hitKey: string, { side, key, inclusive }: Bound): boolean {
  if (key === undefined) return true;
  if (hitKey === key) return inclusive;
  return side === 'after' ? hitKey < key : hitKey > key;
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
