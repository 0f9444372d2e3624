/** The filters in the URL of a page, by name. */
export type UrlFilters<Name extends string> = Partial<Record<Name, string>>;

/** Returns the filters with the given names from a page's URL. */
export const urlFilters = <Name extends string>(
  names: readonly Name[],
  query: Readonly<Record<string, string>>,
): UrlFilters<Name> =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as UrlFilters<Name>;

/**
 * Converts the filters of a URL into the filters of a call. The compiler checks the names of the filters. The server
 * checks the values, because a URL can contain any value, and the page shows the server's message.
 */
export const queryFrom = <Filters extends object>(filters: UrlFilters<keyof Filters & string>): Filters =>
  filters as Filters;
