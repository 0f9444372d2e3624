import { sql } from 'kysely';
import type { Match } from '../../../domain/search.ts';
import { isPostgres, listId } from '../../dialect.ts';
import { type Bound, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { matches, searchQuery } from './matching.ts';

/** A profile in search results. */
export interface FoundProfile {
  id: string;
  name: string | null;
  email: string | null;
  externalId: string;
}

interface Search {
  workspaceId: string;
  words: readonly string[];
  match: Match;
}

const SHOWN = sql`profiles.id, profiles.name, profiles.email, profiles.external_id as "externalId"`;

/**
 * Finds profiles of a workspace that match some words at exactly one match level, newest first.
 *
 * @param bound - Where to start. The key of the bound is a profile's id.
 */
export async function searchProfiles(
  queries: Queries,
  search: Search,
  bound: Bound,
  limit: number,
): Promise<FoundProfile[]> {
  if (!isPostgres(queries)) return await findInOrder(queries, search, bound, limit);
  // If many profiles contain a word, the newest profiles soon fill a page. If few profiles contain the word, the index
  // of words finds few rows to sort.
  const newest = await findAmongNewest(queries, search, bound, limit);
  return newest.length === limit ? newest : await findAndSort(queries, search, bound, limit);
}

/**
 * Finds matching profiles on SQLite. Row numbers increase with ids, so FTS5 reads its index in the order of the list,
 * and stops when the page is full.
 */
async function findInOrder(queries: Queries, search: Search, bound: Bound, limit: number): Promise<FoundProfile[]> {
  const { workspaceId, words, match } = search;
  const direction = directionOf(bound);
  const isAfter = bound.side === 'after';
  const nearest = sql`select seq from profiles where id ${sql.raw(idComparison(bound))} ${bound.key}
    order by id ${direction} limit 1`;
  const beyond =
    bound.key === undefined ? sql`` : sql`and profile_words.rowid ${sql.raw(isAfter ? '<=' : '>=')} (${nearest})`;
  const { rows } = await sql<FoundProfile>`
    select ${SHOWN} from profile_words join profiles on profiles.seq = profile_words.rowid
    where profile_words match ${searchQuery(queries, workspaceId, words, match)}
      and profiles.workspace_id = ${workspaceId} ${beyond}
    order by profile_words.rowid ${direction} limit ${limit}`.execute(queries);
  return rows;
}

/**
 * How many of the newest profiles PostgreSQL checks before it uses the index of words. The check takes a few
 * milliseconds.
 */
const NEWEST = 2_000;

/** Finds matching profiles among the newest profiles, using the index `profiles_newest`. */
async function findAmongNewest(queries: Queries, search: Search, bound: Bound, limit: number): Promise<FoundProfile[]> {
  const { workspaceId, words, match } = search;
  const direction = directionOf(bound);
  const { rows } = await sql<FoundProfile>`
    select ${SHOWN} from (
      select id, name, email, external_id, words from profiles where workspace_id = ${workspaceId} ${beyondOf(queries, bound)}
      order by ${listId(queries)} ${direction} limit ${NEWEST}) as profiles
    where ${matches(searchQuery(queries, workspaceId, words, match))}
    order by ${listId(queries)} ${direction} limit ${limit}`.execute(queries);
  return rows;
}

/**
 * Finds matching profiles with the index `profiles_by_words`. `offset 0` keeps the planner from choosing another index,
 * which could read all profiles.
 */
async function findAndSort(queries: Queries, search: Search, bound: Bound, limit: number): Promise<FoundProfile[]> {
  const { workspaceId, words, match } = search;
  const { rows } = await sql<FoundProfile>`
    select ${SHOWN} from (
      select id, workspace_id, name, email, external_id from profiles
      where ${matches(searchQuery(queries, workspaceId, words, match))} offset 0) as profiles
    where workspace_id = ${workspaceId} ${beyondOf(queries, bound)}
    order by ${listId(queries)} ${directionOf(bound)} limit ${limit}`.execute(queries);
  return rows;
}

const directionOf = (bound: Bound) => sql.raw(idOrder(bound));

const beyondOf = (queries: Queries, bound: Bound) =>
  bound.key === undefined ? sql`` : sql`and ${listId(queries)} ${sql.raw(idComparison(bound))} ${bound.key}`;
