import type { Open } from '../open.ts';

export const SEARCH_TYPES = ['profile', 'webhook_endpoint'] as const;
/**
 * The kinds of things that a search can find.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export type SearchType = (typeof SEARCH_TYPES)[number];

/**
 * A search hit. Best matches come first. The service document defines no shape. This one is the project's.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#search}
 */
export interface SearchResult {
  id: string;
  type: Open<SearchType>;
  title: string;
  snippet: string | null;
  /** Path of the endpoint that retrieves the resource. Null if there is none. */
  url: string | null;
}

/** Query of the search. */
export interface SearchQuery {
  /** 1 to 200 characters. Every word must match the beginning of a word, ignoring case and accents. */
  q: string;
  /** Only hits of this type. */
  type?: SearchType | undefined;
}
