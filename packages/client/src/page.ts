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

/** Gets the page at `url`, one of `page`'s; null if there is none. It is an error if the URL `isSeen`, which would be a loop. */
export type Following<Item> = (
  page: Page<Item>,
  url: string | null,
  isSeen: (url: string) => boolean,
) => Promise<Page<Item> | null>;

/** Makes a page of what the service sent; `follow` gives the page at one of its URLs. */
export function createPage<Item>(
  { data, nextPageUrl, previousPageUrl }: Pick<Page<Item>, 'data' | 'nextPageUrl' | 'previousPageUrl'>,
  meta: AnswerInfo,
  follow: (page: Page<Item>, url: string | null) => Promise<Page<Item> | null>,
): Page<Item> {
  if (!Array.isArray(data) || typeof (nextPageUrl ?? '') !== 'string' || typeof (previousPageUrl ?? '') !== 'string') {
    throw new ResponseError('The answer is not a page', meta);
  }
  const page = { data, nextPageUrl, previousPageUrl, meta } as Page<Item>;
  // Not enumerable, so that a page prints, compares and serialises as its data.
  return Object.defineProperties(page, {
    next: { value: () => follow(page, nextPageUrl) },
    previous: { value: () => follow(page, previousPageUrl) },
  });
}
