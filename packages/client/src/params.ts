/**
 * What every list takes.
 *
 * {@includeCode ../test/documented/lists.ts#page}
 */
export interface ListParams {
  /** Items on a page, 1 to 100. Without it, an awaited list requests 20, and iteration requests 100. */
  limit?: number | undefined;
}
