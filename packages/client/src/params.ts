/**
 * What every list takes.
 *
 * {@includeCode ../test/documented/lists.ts#page}
 */
export interface ListParams {
  /** Items on a page: 1 to 100, 20 unless given. */
  limit?: number | undefined;
}
