import { type ListEnvelope, type ListQuery, PAGE_LIMIT } from '@svc/contract';
import type { Cursor, PageBinding } from '../domain/page-token.ts';
import { type Bound, type Found, keysetPage, selectFrom } from '../storage/keyset.ts';
import type { Queries } from '../storage/port.ts';
import { validation } from './errors.ts';
import type { Services } from './services.ts';

interface ListRequest {
  services: Pick<Services, 'storage' | 'pageTokens' | 'publicUrl'>;
  /** The name to which page tokens are bound. Needed only for a list with two paths. Default: the path. */
  list?: string;
  path: string;
  /** The workspace. Needed only if the path does not name the workspace. */
  scope?: { workspaceId: string };
  /** Page tokens are bound to all fields except `limit` and `page`. */
  query: ListQuery;
}

/**
 * Returns one page of a list (service document, "List envelope").
 *
 * @param source - All rows, sorted by ascending key, or a function that selects rows in the database.
 */
export async function respondWithPage<Row, Item>(
  { services, path, list = path, scope, query }: ListRequest,
  source: readonly Row[] | ((queries: Queries, bound: Bound, limit: number) => Promise<Row[] | Found<Row>>),
  keyOf: (row: Row) => string,
  present: (row: Row) => Item,
): Promise<ListEnvelope<Item>> {
  const select =
    typeof source === 'function'
      ? (bound: Bound, limit: number) => services.storage.read((queries) => source(queries, bound, limit))
      : selectFrom(source, keyOf);
  const { limit = PAGE_LIMIT.default, page, ...others } = query;
  const given = Object.entries<unknown>(others).filter(([, value]) => value !== undefined);
  const filters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  const binding: PageBinding = { list, workspaceId: scope?.workspaceId ?? '', filters };
  const cursor = page === undefined ? undefined : services.pageTokens.read(binding, page);
  if (page !== undefined && !cursor) throw invalidToken();
  const { rows, next, previous } = await keysetPage(select, keyOf, cursor, limit);
  const urlOf = (target: Cursor | null) => {
    if (target === null) return null;
    const token = services.pageTokens.write(binding, target);
    return `${services.publicUrl()}${path}?${new URLSearchParams({ ...filters, limit: String(limit), page: token })}`;
  };
  return { data: rows.map(present), nextPageUrl: urlOf(next), previousPageUrl: urlOf(previous) };
}

/** Returns a list that always has one page. Such a list has no page tokens, so every token is invalid. */
export function respondWithSinglePage<Item>(items: Item[], page: string | undefined): ListEnvelope<Item> {
  if (page !== undefined) throw invalidToken();
  return { data: items, nextPageUrl: null, previousPageUrl: null };
}

const invalidToken = () =>
  validation('Invalid query: "page" is not a token of this list; follow nextPageUrl and previousPageUrl unchanged.');
