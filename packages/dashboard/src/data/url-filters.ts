export type UrlFilters<Name extends string> = Partial<Record<Name, string>>;

export const urlFilters = <Name extends string>(
  names: readonly Name[],
  query: Readonly<Record<string, string>>,
): UrlFilters<Name> =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as UrlFilters<Name>;

/**
 * Returns the query for a URL's filters. A filter in a URL may have any value: the server checks the values, and the
 * page shows the server's error message.
 */
export const queryFrom = <Filters extends object>(filters: UrlFilters<keyof Filters & string>): Filters =>
  filters as Filters;
