import type { Open } from '../open.ts';

export const SEARCH_TYPES = ['profile', 'webhook_endpoint'] as const;
/**
 * The kinds of things that a search can find. The service document does not show them. This project defines them.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export type SearchType = (typeof SEARCH_TYPES)[number];

/**
 * A search hit. Best matches come first. The service document does not show this shape. This project defines it.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export interface SearchResult {
  /** Id of the profile or the webhook endpoint. */
  id: string;
  /** What was found. */
  type: Open<SearchType>;
  /** A profile's name, email address or external id. An endpoint's URL. */
  title: string;
  /** The field of a profile that matched. An endpoint's description. Null if there is none. */
  snippet: string | null;
  /** Path of the endpoint that retrieves the resource. Null if there is none. */
  url: string | null;
}

/** Query of the search. The service document does not show it. This project defines it. */
export interface SearchQuery {
  /** 1 to 200 characters, at most ten words. Every word must match the beginning of a word, ignoring case and accents. */
  q: string;
  /** Only hits of this type. */
  type?: SearchType | undefined;
}
