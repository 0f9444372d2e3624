import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import { type Bound, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import type { ProfileStateTable, ProfileTable } from '../../schema/profiles.ts';
import { matches, searchQuery, startsWith } from './matching.ts';
import { stateColumns } from './states.ts';

/** A profile with the results of the latest evaluation. */
export type ProfileRow = Omit<ProfileTable, 'seq' | 'words'> & Omit<ProfileStateTable, 'profile_id' | 'workspace_id'>;

/**
 * The columns of a profile and its evaluation results. `states` is the name of the table `profile_states` in the
 * statement.
 */
const columnsOf = (states: 'listed' | 'latest') => sql`profiles.id, profiles.workspace_id, profiles.external_id,
  profiles.name, profiles.email, profiles.attributes, profiles.first_seen_at, profiles.active_days, profiles.created_at,
  profiles.updated_at, ${stateColumns(states)}`;

const LISTED = sql`${columnsOf('listed')} from profile_states as listed join profiles on profiles.id = listed.profile_id`;

/** The filters of the list of profiles. */
export interface ProfileFilter {
  state?: string | undefined;
  q?: string | undefined;
}

/**
 * Lists the profiles of a workspace, most recently seen first. Two indexes have this order: one with the state, and one
 * without the state.
 */
export async function listProfiles(
  queries: Queries,
  { workspaceId, state, q }: ProfileFilter & { workspaceId: string },
  bound: Bound,
  limit: number,
): Promise<ProfileRow[]> {
  const inList = [sql`listed.workspace_id = ${workspaceId}`];
  if (state !== undefined) inList.push(sql`listed.state = ${state}`);
  if (bound.key !== undefined) {
    const [, at, id] = /^(-?\d+):(.*)$/.exec(bound.key) ?? [];
    inList.push(sql`(listed.last_seen_at, listed.profile_id) ${sql.raw(idComparison(bound))} (${Number(at)}, ${id})`);
  }
  const part: ListPart = { workspaceId, where: sql.join(inList, sql` and `), bound, limit };
  if (q === undefined) return await listAll(queries, part);
  const words = wordsOf(q);
  if (words.length === 0) return [];
  // If many profiles contain a word, the latest profiles soon fill a page. If few profiles contain the word, the index
  // of words finds few rows to sort.
  const latest = await findAmongLatest(queries, part, words);
  return latest.length === limit ? latest : await findAndSort(queries, part, words);
}

interface ListPart {
  workspaceId: string;
  where: RawBuilder<unknown>;
  bound: Bound;
  limit: number;
}

async function listAll(queries: Queries, { where, bound, limit }: ListPart): Promise<ProfileRow[]> {
  const { rows } = await sql<ProfileRow>`
    select ${LISTED} where ${where} ${inOrder(bound, limit)}`.execute(queries);
  return rows;
}

/** The number of profiles to read in the list's order before using the index of words. */
const LATEST = 2_000;

/**
 * Finds matching profiles among the latest profiles, using the index of the list's order and the primary key of
 * profiles.
 */
async function findAmongLatest(
  queries: Queries,
  { workspaceId, where, bound, limit }: ListPart,
  words: readonly string[],
): Promise<ProfileRow[]> {
  const { rows } = await sql<ProfileRow>`
    select ${columnsOf('latest')} from (
      select * from profile_states as listed where ${where} ${inOrder(bound, LATEST)}) as latest
      join profiles on profiles.id = latest.profile_id
    where ${startsWith(queries, workspaceId, words)} ${inOrder(bound, limit, 'latest')}`.execute(queries);
  return rows;
}

/**
 * Finds matching profiles with the index of words. `offset 0` keeps PostgreSQL's planner from reading all profiles
 * instead.
 */
async function findAndSort(
  queries: Queries,
  { workspaceId, where, bound, limit }: ListPart,
  words: readonly string[],
): Promise<ProfileRow[]> {
  const query = searchQuery(queries, workspaceId, words);
  const found = isPostgres(queries)
    ? sql`(select * from profiles where ${matches(query)} offset 0) as profiles
      cross join lateral (select * from profile_states as states
        where states.workspace_id = profiles.workspace_id and states.profile_id = profiles.id offset 0) as listed`
    : sql`profile_words cross join profiles on profiles.seq = profile_words.rowid and profile_words match ${query}
      cross join profile_states as listed on listed.profile_id = profiles.id`;
  const { rows } = await sql<ProfileRow>`
    select ${columnsOf('listed')} from ${found} where ${where} ${inOrder(bound, limit)}`.execute(queries);
  return rows;
}

function inOrder(bound: Bound, limit: number, states: 'listed' | 'latest' = 'listed'): RawBuilder<unknown> {
  const direction = idOrder(bound);
  const order = sql.raw(`${states}.last_seen_at ${direction}, ${states}.profile_id ${direction}`);
  return sql`order by ${order} limit ${limit}`;
}

/** A profile's key in the list, which cursors contain. */
export const profileKey = ({ last_seen_at, id }: ProfileRow): string => `${last_seen_at}:${id}`;

export async function findProfile(queries: Queries, workspaceId: string, id: string): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${LISTED} where listed.workspace_id = ${workspaceId} and listed.profile_id = ${id}`.execute(queries);
  return rows[0];
}
