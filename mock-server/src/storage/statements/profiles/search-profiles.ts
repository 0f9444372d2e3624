import { sql } from 'kysely';
import type { Match } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import { type Bound, idComparison } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { INDEXED_WORDS, searchQuery } from './matching.ts';

/** What a search shows of a profile. */
export interface FoundProfile {
  id: string;
  name: string | null;
  email: string | null;
  externalId: string;
}

/**
 * Finds profiles of a workspace that match some words just so well, newest first, from the index of words.
 *
 * @param bound - Its key is an id.
 */
export async function searchProfiles(
  queries: Queries,
  { workspaceId, words, match }: { workspaceId: string; words: readonly string[]; match: Match },
  bound: Bound,
  limit: number,
): Promise<FoundProfile[]> {
  const query = searchQuery(queries, workspaceId, words, match);
  const direction = sql.raw(bound.side === 'after' ? 'desc' : 'asc');
  const shown = sql`profiles.id, profiles.name, profiles.email, profiles.external_id as "externalId"`;
  const comparison = sql.raw(idComparison(bound));
  // Ids of other workspaces that differ in upper and lower case only are one word to the index.
  const within = sql`profiles.workspace_id = ${workspaceId}`;
  if (isPostgres(queries)) {
    const beyond = bound.key === undefined ? sql`` : sql`and profiles.id ${comparison} ${bound.key}`;
    const { rows } = await sql<FoundProfile>`
      select ${shown} from profiles where ${INDEXED_WORDS} @@ cast(${query} as tsquery) and ${within} ${beyond}
      order by profiles.id ${direction} limit ${limit}`.execute(queries);
    return rows;
  }
  // Numbers rise as ids do. The index of words is read in their order, up to the nearest profile that belongs to the page.
  const isAfter = bound.side === 'after';
  const nearest = sql`select seq from profiles where id ${comparison} ${bound.key} order by id ${direction} limit 1`;
  const beyond =
    bound.key === undefined ? sql`` : sql`and profile_words.rowid ${sql.raw(isAfter ? '<=' : '>=')} (${nearest})`;
  const { rows } = await sql<FoundProfile>`
    select ${shown} from profile_words join profiles on profiles.seq = profile_words.rowid
    where profile_words match ${query} and ${within} ${beyond}
    order by profile_words.rowid ${direction} limit ${limit}`.execute(queries);
  return rows;
}
