/**
 * What every list answers (service document, "List envelope").
 *
 * {@includeCode ../../../client/test/documented/requests.ts#list}
 */
export interface ListEnvelope<Item> {
  data: Item[];
  /** Absolute URL of the next page; null at the end. Follow it unchanged. */
  nextPageUrl: string | null;
  /** Absolute URL of the page before; null on the first. Follow it unchanged. */
  previousPageUrl: string | null;
}

/** Query of every list (service document, "List envelope"). */
export interface ListQuery {
  /** Items on a page: 1 to 100, 20 unless given. */
  limit?: number | undefined;
  /** Opaque token, taken from a page URL. */
  page?: string | undefined;
}

/** Query of a list that can embed related resources (service document, "Expanding"). */
export interface ExpandQuery {
  /** Names of the fields to embed, comma-separated. */
  expand?: string | undefined;
}
