/**
 * Parameters of every list.
 *
 * {@includeCode ../test/documented/lists.ts#page}
 */
export interface ListParams {
  /** The number of items on a page, 1 to 100. Default: 20 if you await the list, 100 if you iterate over it. */
  limit?: number | undefined;
}
