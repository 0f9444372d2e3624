import { type RawBuilder, sql } from 'kysely';
import type { Match } from '../../../domain/search.ts';
import { isPostgres, listId } from '../../dialect.ts';
import { type Bound, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { matches, searchQuery } from './matching.ts';

export interface FoundProfile {
  id: string;
  name: string | null;
  email: string | null;
  externalId: string;
}

/**
 * How many of the newest profiles PostgreSQL checks before it uses the index of words. The check takes a few
 * milliseconds.
 */
const NEWEST = 2_000;

/**
 * Finds profiles of a workspace that match some words at exactly one match level, newest first.
 *
 * @param bound - Where to start. The key of the bound is a profile's id.
 */
export async function searchProfiles(
  queries: Queries,
  { workspaceId, words, match }: { workspaceId: string; words: readonly string[]; match: Match },
  bound: Bound,
  limit: number,
): Promise<FoundProfile[]> {
  const query = searchQuery(queries, workspaceId, words, match);
  const inWorkspace = sql`profiles.workspace_id = ${workspaceId}`;
  const direction = sql.raw(idOrder(bound));
  const find = async (from: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
    const { rows } = await sql<FoundProfile>`
      select profiles.id, profiles.name, profiles.email, profiles.external_id as "externalId"
      from ${from} order by ${order} ${direction} limit ${limit}`.execute(queries);
    return rows;
  };
  const id = listId(queries);
  const isBeyond = sql`${id} ${sql.raw(idComparison(bound))} ${bound.key}`;
  const beyond = bound.key === undefined ? sql`` : sql`and ${isBeyond}`;
  if (!isPostgres(queries)) {
    // Row numbers increase with ids, so FTS5 reads its index in the order of the list, and stops when the page is full.
    const nearest = sql`select seq from profiles where ${isBeyond} order by id ${direction} limit 1`;
    const sign = sql.raw(bound.side === 'after' ? '<=' : '>=');
    const beyondRow = bound.key === undefined ? sql`` : sql`and profile_words.rowid ${sign} (${nearest})`;
    return await find(
      sql`profile_words join profiles on profiles.seq = profile_words.rowid
        where profile_words match ${query} and ${inWorkspace} ${beyondRow}`,
      sql`profile_words.rowid`,
    );
  }
  // If many profiles contain a word, the newest profiles, from the index `profiles_newest`, soon fill a page.
  const newest = await find(
    sql`(select id, name, email, external_id, words from profiles where ${inWorkspace} ${beyond}
      order by ${id} ${direction} limit ${NEWEST}) as profiles where ${matches(query)}`,
    id,
  );
  if (newest.length === limit) return newest;
  // If few profiles contain the word, the index `profiles_by_words` finds few rows to sort. `offset 0` keeps the planner
  // from choosing another index, which could read all profiles.
  return await find(
    sql`(select id, workspace_id, name, email, external_id from profiles where ${matches(query)} offset 0) as profiles
      where ${inWorkspace} ${beyond}`,
    id,
  );
}
