import type { AnswerInfo } from './call.ts';
import { ResponseError } from './errors.ts';

/**
 * One page of a list (service document, "List envelope").
 *
 * {@includeCode ../test/documented/lists.ts#page}
 */
export interface Page<Item> {
  data: Item[];
  /** Where the next page is; null at the end. Can be kept for {@link ListOperation.resume}, though not for long. */
  nextPageUrl: string | null;
  /** Where the page before is; null on the first. */
  previousPageUrl: string | null;
  /** What else its answer told. */
  meta: AnswerInfo;
  /** The next page, or null at the end. */
  next(): Promise<Page<Item> | null>;
  /** The page before, or null on the first. */
  previous(): Promise<Page<Item> | null>;
}

/** Makes a page of what the service sent; `follow` gives the page at a URL. */
export function createPage<Item>(
  { data, nextPageUrl, previousPageUrl }: Pick<Page<Item>, 'data' | 'nextPageUrl' | 'previousPageUrl'>,
  meta: AnswerInfo,
  follow: (url: string) => Promise<Page<Item>>,
): Page<Item> {
  const isUrl = (url: unknown) => url == null || typeof url === 'string';
  if (!Array.isArray(data) || !isUrl(nextPageUrl) || !isUrl(previousPageUrl)) {
    throw new ResponseError('The answer is not a page', meta);
  }
  const neighbour = (url: string | null) => ({ value: async () => (url ? follow(url) : null) });
  // Not enumerable, so that a page prints, compares and serialises as its data.
  return Object.defineProperties({ data, nextPageUrl, previousPageUrl, meta } as Page<Item>, {
    next: neighbour(nextPageUrl),
    previous: neighbour(previousPageUrl),
  });
}
