/**
 * A page of a list.
 *
 * {@includeCode ../../../client/test/documented/requests.ts#list}
 */
export interface ListEnvelope<Item> {
  /** The items of this page, newest first unless the operation says otherwise. */
  data: Item[];
  /** The URL of the next page, absolute or as a path. Null on the last page. Follow this URL unchanged. */
  nextPageUrl: string | null;
  /** The URL of the previous page, absolute or as a path. Null on the first page. Follow this URL unchanged. */
  previousPageUrl: string | null;
}

/** Query of every list. */
export interface ListQuery {
  /** The number of items on a page: 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** An opaque token from a page URL. */
  page?: string | undefined;
}

/** Query of a list that can embed related resources. */
export interface ExpandQuery {
  /** Names of the fields to embed, comma-separated. */
  expand?: string | undefined;
}
