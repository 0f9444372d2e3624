import type { Open } from '../open.ts';

export const SEARCH_TYPES = ['profile', 'webhook_endpoint'] as const;
/**
 * What a search can look for.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export type SearchType = (typeof SEARCH_TYPES)[number];

/**
 * A hit of the search, best match first. The document shows no shape; this one is the project's.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export interface SearchResult {
  id: string;
  type: Open<SearchType>;
  title: string;
  snippet: string | null;
  /** Path of the resource's retrieve endpoint; null where there is none. */
  url: string | null;
}

/** Query of the search. */
export interface SearchQuery {
  /** 1 to 200 characters; every word must match, each by prefix, ignoring case and accents. */
  q: string;
  /** Only hits of this type. */
  type?: SearchType | undefined;
}
