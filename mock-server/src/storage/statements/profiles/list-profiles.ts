import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import { type Bound, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import type { ProfileStateTable, ProfileTable } from '../../schema/profiles.ts';
import { matches, matchesRow, prefixQuery } from './matching.ts';

export type ProfileRow = Omit<ProfileTable, 'seq' | 'words'> & ProfileStateTable;

/** Returns the columns of a {@link ProfileRow}. `states` is the alias of the table `profile_states`. */
const columnsOf = (states: 'listed' | 'latest') => sql`profiles.id, profiles.external_id, profiles.name, profiles.email,
  profiles.attributes, profiles.first_seen_at, profiles.active_days, profiles.created_at, profiles.updated_at,
  ${sql.ref(states)}.*`;

const LISTED = sql`profile_states as listed join profiles on profiles.id = listed.profile_id`;

/** A search first reads this many profiles in the order of the list, and only then uses the index of words. */
const LATEST = 2_000;

/** Lists recently seen profiles first, in the order of `profile_states_by_last_seen` and `profile_states_by_state`. */
export async function listProfiles(
  queries: Queries,
  { workspaceId, state, q }: { workspaceId: string; state?: string | undefined; q?: string | undefined },
  bound: Bound,
  limit: number,
): Promise<ProfileRow[]> {
  const inList = [sql`listed.workspace_id = ${workspaceId}`];
  if (state !== undefined) inList.push(sql`listed.state = ${state}`);
  if (bound.key !== undefined) {
    const [, at, id] = /^(-?\d+):(.*)$/.exec(bound.key) ?? [];
    inList.push(sql`(listed.last_seen_at, listed.profile_id) ${sql.raw(idComparison(bound))} (${Number(at)}, ${id})`);
  }
  const where = sql.join(inList, sql` and `);
  const direction = idOrder(bound);
  const inOrder = (states: 'listed' | 'latest') =>
    sql.raw(`order by ${states}.last_seen_at ${direction}, ${states}.profile_id ${direction}`);
  const find = async (states: 'listed' | 'latest', from: RawBuilder<unknown>) => {
    const { rows } = await sql<ProfileRow>`
      select ${columnsOf(states)} from ${from} ${inOrder(states)} limit ${limit}`.execute(queries);
    return rows;
  };
  if (q === undefined) return await find('listed', sql`${LISTED} where ${where}`);
  const words = wordsOf(q);
  if (words.length === 0) return [];
  // If many profiles match, the latest profiles are enough for a page. `offset 0` makes PostgreSQL's planner look these
  // profiles up by id. Without `offset 0`, the planner might first find all profiles with the words.
  const byId = isPostgres(queries)
    ? sql`cross join lateral (select * from profiles where profiles.id = latest.profile_id offset 0) as profiles`
    : sql`join profiles on profiles.id = latest.profile_id`;
  const latest = await find(
    'latest',
    sql`(select * from profile_states as listed where ${where} ${inOrder('listed')} limit ${LATEST}) as latest
      ${byId} where ${matchesRow(queries, { workspaceId, words })}`,
  );
  if (latest.length === limit) return latest;
  // If few profiles match, the index of words finds few rows, so these rows are sorted quickly. `offset 0` prevents
  // PostgreSQL's planner from reading all profiles instead.
  const query = prefixQuery(queries, workspaceId, words);
  const found = isPostgres(queries)
    ? sql`(select * from profiles where ${matches(query)} offset 0) as profiles
      cross join lateral (select * from profile_states as states
        where states.workspace_id = profiles.workspace_id and states.profile_id = profiles.id offset 0) as listed`
    : sql`profile_words cross join profiles on profiles.seq = profile_words.rowid and profile_words match ${query}
      cross join profile_states as listed on listed.profile_id = profiles.id`;
  return await find('listed', sql`${found} where ${where}`);
}

/** The key of a profile in cursors. */
export const profileKey = ({ last_seen_at, id }: ProfileRow): string => `${last_seen_at}:${id}`;

export async function findProfile(queries: Queries, workspaceId: string, id: string): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${columnsOf('listed')} from ${LISTED}
    where listed.workspace_id = ${workspaceId} and listed.profile_id = ${id}`.execute(queries);
  return rows[0];
}
