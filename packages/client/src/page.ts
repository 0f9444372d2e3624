import type { AnswerInfo } from './call.ts';

/** One page of a list (service document, "List envelope"). */
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

/** The part of a page that the service sends. */
export type Envelope<Item> = Pick<Page<Item>, 'data' | 'nextPageUrl' | 'previousPageUrl'>;

/** Makes a page; `follow` gives the page at a URL. */
export function createPage<Item>(
  { data, nextPageUrl, previousPageUrl }: Envelope<Item>,
  meta: AnswerInfo,
  follow: (url: string) => Promise<Page<Item>>,
): Page<Item> {
  const page = { data, nextPageUrl, previousPageUrl, meta };
  // Not enumerable, so that a page prints, compares and serialises as its data.
  return Object.defineProperties(page as Page<Item>, {
    next: { value: async () => (nextPageUrl === null ? null : follow(nextPageUrl)) },
    previous: { value: async () => (previousPageUrl === null ? null : follow(previousPageUrl)) },
  });
}
