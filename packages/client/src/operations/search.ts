import type { Open, SearchResult, SearchType } from '@svc/contract';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { ListParams } from '../params.ts';

/**
 * What to search for. The service document does not show these parameters, so this project defines them.
 *
 * {@includeCode ../../test/documented/resources.ts#search}
 */
export interface SearchParams extends ListParams {
  /**
   * The search text, with 1 to 200 characters and at most ten words. Each search word must match the beginning of a
   * word in the result. Case and accents are ignored.
   */
  q: string;
  /** Returns only results of this type. */
  type?: Open<SearchType> | undefined;
}

/**
 * Searches the workspace's profiles and webhook endpoints, best match first.
 *
 * {@includeCode ../../test/documented/resources.ts#search}
 */
export type SearchOperation = ListOperation<SearchResult, [params: SearchParams, options?: CallOptions]>;
