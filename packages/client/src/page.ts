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
  /** URL of the next page. Null at the end. You can store it for {@link ListOperation.resume}, but not for long. */
  nextPageUrl: string | null;
  /** URL of the previous page. Null on the first page. */
  previousPageUrl: string | null;
  /** The rest of the page's response: status, headers, request id, attempts and rate limit. */
  meta: ResponseInfo;
  /** Returns the next page, or null at the end. */
  next(): Promise<Page<Item> | null>;
  /** Returns the previous page, or null on the first. */
  previous(): Promise<Page<Item> | null>;
}

/**
 * Fetches the page at `url`, which is one of `page`'s URLs. Returns null if `url` is null. Throws if the URL `isSeen`,
 * because the list would loop.
 */
export type Following<Item> = (
  page: Page<Item>,
  url: string | null,
  isSeen: (url: string) => boolean,
) => Promise<Page<Item> | null>;

/** Creates a page from the service's response. `follow` fetches the next or previous page by its URL. */
export function createPage<Item>(
  { data, nextPageUrl, previousPageUrl }: Pick<Page<Item>, 'data' | 'nextPageUrl' | 'previousPageUrl'>,
  { info: meta, evidence }: Pick<WholeResponse, 'info' | 'evidence'>,
  follow: (page: Page<Item>, url: string | null) => Promise<Page<Item> | null>,
): Page<Item> {
  if (!Array.isArray(data) || typeof (nextPageUrl ?? '') !== 'string' || typeof (previousPageUrl ?? '') !== 'string') {
    throw new ResponseError('The response is not a page', meta, {}, evidence());
  }
  const page = { data, nextPageUrl, previousPageUrl, meta } as Page<Item>;
  // Not enumerable, so that a page is printed, compared and serialized as its data.
  return Object.defineProperties(page, {
    next: { value: () => follow(page, nextPageUrl) },
    previous: { value: () => follow(page, previousPageUrl) },
  });
}
