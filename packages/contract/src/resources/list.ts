/**
 * A page of a list (service document, "List envelope").
 *
 * {@includeCode ../../../client/test/documented/requests.ts#list}
 */
export interface ListEnvelope<Item> {
  data: Item[];
  /** Absolute URL of the next page. Null at the end. Follow it unchanged. */
  nextPageUrl: string | null;
  /** Absolute URL of the previous page. Null on the first page. Follow it unchanged. */
  previousPageUrl: string | null;
}

/** Query of every list (service document, "List envelope"). */
export interface ListQuery {
  /** Items on a page: 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** An opaque token from a page URL. */
  page?: string | undefined;
}

/** Query of a list that can embed related resources (service document, "Expanding"). */
export interface ExpandQuery {
  /** Names of the fields to embed, comma-separated. */
  expand?: string | undefined;
}
