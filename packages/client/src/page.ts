import type { WholeResponse } from './attempt.ts';
import { ResponseError } from './errors.ts';
import type { ResponseInfo } from './response-info.ts';

/**
 * One page of a list.
 *
 * {@includeCode ../test/documented/lists.ts#page}
 */
export interface Page<Item> {
  data: Item[];
  /**
   * The URL of the next page. Null on the last page. You can store the URL for {@link ListOperation.resume}, but not
   * for long, because the service may change its cursors.
   */
  nextPageUrl: string | null;
  /** The URL of the previous page. Null on the first page. */
  previousPageUrl: string | null;
  /** The response without its data: status, headers, request id, attempts and rate limit. */
  meta: ResponseInfo;
  /** Returns the next page, or null if this page is the last. */
  next(): Promise<Page<Item> | null>;
  /** Returns the previous page, or null if this page is the first. */
  previous(): Promise<Page<Item> | null>;
}

/**
 * Creates a page from the service's response. `follow` fetches the page whose URL is in the response's field `link`, or
 * returns null if this field is null.
 */
export function createPage<Item>(
  { data, nextPageUrl, previousPageUrl }: Pick<Page<Item>, 'data' | 'nextPageUrl' | 'previousPageUrl'>,
  { info: meta, evidence }: Pick<WholeResponse, 'info' | 'evidence'>,
  follow: (link: 'nextPageUrl' | 'previousPageUrl') => Promise<Page<Item> | null>,
): Page<Item> {
  if (!Array.isArray(data) || typeof (nextPageUrl ?? '') !== 'string' || typeof (previousPageUrl ?? '') !== 'string') {
    throw new ResponseError('The response is not a page', meta, {}, evidence());
  }
  const page = { data, nextPageUrl, previousPageUrl, meta } as Page<Item>;
  // These two functions are not enumerable, so that they are left out when a page is printed, compared or serialized.
  return Object.defineProperties(page, {
    next: { value: () => follow('nextPageUrl') },
    previous: { value: () => follow('previousPageUrl') },
  });
}
