import type { Open } from '../open.ts';

export const SEARCH_TYPES = ['profile', 'webhook_endpoint'] as const;
/**
 * The kinds of resources that a search can find. The service document does not show these kinds. This project defines
 * the kinds.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export type SearchType = (typeof SEARCH_TYPES)[number];

/**
 * A search hit. Best matches come first. The service document does not show this shape. This project defines the shape.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export interface SearchResult {
  /** Id of the profile or the webhook endpoint. */
  id: string;
  /** The kind of resource that was found. */
  type: Open<SearchType>;
  /** The name, email address or external id of a profile, or the URL of an endpoint. */
  title: string;
  /**
   * For a profile, the field that matches the search. For an endpoint, its description. Null if there is no such text.
   */
  snippet: string | null;
  /** The path of the operation that retrieves the resource. Null if no operation retrieves this kind of resource. */
  url: string | null;
}

/** Query of the search. The service document does not show this query. This project defines the query. */
export interface SearchQuery {
  /**
   * The search text, with 1 to 200 characters and at most ten words. Each of these words must match the beginning of a
   * word in the hit. Case and accents are ignored.
   */
  q: string;
  /** Returns only hits of this type. */
  type?: SearchType | undefined;
}
