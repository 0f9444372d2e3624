import { type RawBuilder, sql } from 'kysely';
import type { SearchedFields } from '../../../domain/search.ts';
import { isPostgres, listId } from '../../dialect.ts';
import { type Bound, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { SEARCHED_COLUMNS } from '../../schema/profiles.ts';
import { matches, matchesRow, type Search, wordQueries } from './matching.ts';
import { HAS_GENERATED_ID, HAS_SET_ID } from './row-numbers.ts';

export interface FoundProfile extends SearchedFields {
  id: string;
  externalId: string;
}

/** A part of the list to search. `bound.key` is the id of a profile. */
interface Part {
  bound: Bound;
  limit: number;
}

/**
 * A search compares at most this many profiles from the index of words, so that common words do not slow down all
 * tenants.
 */
const COMPARED_MAX = 2_000;

/** On PostgreSQL, a search compares `NEWEST` profiles, and then, if the words are too common, `NEWEST_MAX` profiles. */
const NEWEST = 2_000;
const NEWEST_MAX = 20_000;

/** On PostgreSQL, looking up a word reads all profiles with that word, so a search looks up only its longest words. */
const LOOKED_UP_MAX = 3;

/**
 * Finds the profiles that match a search at its match level, and at no better level, newest first. If the words are too
 * common, compares only the profiles nearest to the bound, so the search may miss some profiles.
 */
export async function searchProfiles(queries: Queries, search: Search, part: Part): Promise<FoundProfile[]> {
  return await (isPostgres(queries) ? searchOnPostgres : searchOnSqlite)(queries, search, part);
}

const COLUMNS = sql`profiles.id, ${sql.join(
  Object.entries(SEARCHED_COLUMNS).map(([field, column]) => sql`${sql.ref(`profiles.${column}`)} as ${sql.ref(field)}`),
)}`;
const STORED_COLUMNS = sql`id, workspace_id, ${sql.join(Object.values(SEARCHED_COLUMNS).map(sql.ref))}, words`;

/**
 * In the order of the list, reads the profiles with the rarest word, and compares each with all words of the search.
 * For a query with several words, FTS5 would read the profiles of all these words before it returned any profile.
 */
async function searchOnSqlite(queries: Queries, search: Search, { bound, limit }: Part): Promise<FoundProfile[]> {
  const direction = sql.raw(idOrder(bound));
  const start = sql`select seq from profiles where id ${sql.raw(idComparison(bound))} ${bound.key}
    and ${HAS_GENERATED_ID}
    order by id ${direction} limit 1`;
  const upTo = sql.raw(bound.side === 'after' ? '<=' : '>=');
  const beyondStart = bound.key === undefined ? sql`` : sql`and rowid ${upTo} (${start})`;
  const nearestOf = (query: string) => sql`(select rowid as seq from profile_words
    where profile_words match ${query} and ${HAS_GENERATED_ID} ${beyondStart} order by rowid ${direction} limit ${COMPARED_MAX}) as found`;

  const last = sql.raw(bound.side === 'after' ? 'min(seq)' : '-max(seq)');
  const measure = async (query: string) => {
    const { rows } = await sql<{ count: number; end: number | null }>`
      select count(*) as count, ${last} as end from ${nearestOf(query)}`.execute(queries);
    return { query, count: rows[0]?.count ?? 0, end: rows[0]?.end ?? 0 };
  };
  /**
   * Returns the query that finds the fewest profiles, but counts at most {@link COMPARED_MAX} profiles for each query.
   * If several counts are equal, returns the query whose last counted profile is furthest from the bound.
   */
  const findRarest = async (choices: readonly string[]) => {
    const measured = await Promise.all(choices.map(measure));
    return measured.sort((a, b) => a.count - b.count || a.end - b.end)[0]?.query;
  };
  const choices = wordQueries(queries, search);
  const query = choices.length > 1 ? await findRarest(choices) : choices[0];
  if (query === undefined) return [];
  const isMatch = sql`profiles.workspace_id = ${search.workspaceId} and ${matchesRow(queries, search)}`;
  const { rows: generated } = await sql<FoundProfile>`
    select ${COLUMNS} from ${nearestOf(query)} cross join profiles on profiles.seq = found.seq
    where ${isMatch} order by found.seq ${direction} limit ${limit}`.execute(queries);
  const { rows: set } = await sql<FoundProfile>`
    select ${COLUMNS} from (select rowid as seq from profile_words
      where profile_words match ${query} and ${HAS_SET_ID} order by rowid desc limit ${COMPARED_MAX}) as found cross join profiles on profiles.seq = found.seq
    where ${isMatch} ${beyond(queries, bound)} order by profiles.id ${direction} limit ${limit}`.execute(queries);
  const sign = bound.side === 'after' ? -1 : 1;
  return [...generated, ...set].sort((a, b) => (a.id < b.id ? -sign : sign)).slice(0, limit);
}

async function searchOnPostgres(queries: Queries, search: Search, { bound, limit }: Part): Promise<FoundProfile[]> {
  const inList = sql`workspace_id = ${search.workspaceId} ${beyond(queries, bound)}`;
  const first = (count: number) => sql`order by ${listId(queries)} ${sql.raw(idOrder(bound))} limit ${count}`;
  const findIn = async (profiles: RawBuilder<unknown>) => {
    const { rows } = await sql<FoundProfile>`
      select ${COLUMNS} from (${profiles}) as profiles
      where ${inList} and ${matchesRow(queries, search)} ${first(limit)}`.execute(queries);
    return rows;
  };
  /** Searches only the `count` profiles that are nearest to the bound. Reads the index `profiles_newest`. */
  const findAmongNewest = (count: number) =>
    findIn(sql`select ${STORED_COLUMNS} from profiles where ${inList} ${first(count)}`);

  // If many profiles match, the newest profiles are enough for a page.
  const newest = await findAmongNewest(NEWEST);
  if (newest.length === limit) return newest;
  // `offset 0` makes the planner use `profiles_by_words` instead of reading all profiles.
  const longest = wordQueries(queries, search).toSorted((a, b) => b.length - a.length);
  const lookedUp = sql`profiles where ${matches(...longest.slice(0, LOOKED_UP_MAX))} offset 0`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${lookedUp} limit ${COMPARED_MAX}) as found`.execute(queries);
  if (Number(rows[0]?.count) === COMPARED_MAX) return await findAmongNewest(NEWEST_MAX);
  return await findIn(sql`select ${STORED_COLUMNS} from ${lookedUp}`);
}

const beyond = (queries: Queries, bound: Bound): RawBuilder<unknown> =>
  bound.key === undefined ? sql`` : sql`and ${listId(queries)} ${sql.raw(idComparison(bound))} ${bound.key}`;
