/**
 * Options for iterating over pages.
 *
 * {@includeCode ../test/documented/lists.ts#pages}
 */
export interface PagesOptions {
  /** The direction of the iteration. Default: `next`. */
  direction?: 'next' | 'previous' | undefined;
  /** Stops after this many pages. */
  maxPages?: number | undefined;
  /** Requests the next page while you process the current page. */
  prefetch?: boolean | undefined;
}
