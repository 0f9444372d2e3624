/**
 * A page of a list.
 *
 * {@includeCode ../../../client/test/documented/requests.ts#list}
 */
export interface ListEnvelope<Item> {
  /** The items of this page, newest first unless the operation says otherwise. */
  data: Item[];
  /** URL of the next page: absolute, or a path. Null at the end. Follow it unchanged. */
  nextPageUrl: string | null;
  /** URL of the previous page: absolute, or a path. Null on the first page. Follow it unchanged. */
  previousPageUrl: string | null;
}

/** Query of every list. */
export interface ListQuery {
  /** Items on a page: 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** An opaque token from a page URL. */
  page?: string | undefined;
}

/** Query of a list that can embed related resources. */
export interface ExpandQuery {
  /** Names of the fields to embed, comma-separated. */
  expand?: string | undefined;
}
