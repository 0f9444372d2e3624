import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '../../../domain/search.ts';
import type { Bound } from '../../keyset.ts';
import { idComparison } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import type { ProfileStateTable, ProfileTable } from '../../schema/profiles.ts';
import { matching, searchQuery } from './matching.ts';

/** A profile with what the latest evaluation made of it. */
export type ProfileRow = Omit<ProfileTable, 'seq' | 'words'> & Omit<ProfileStateTable, 'profile_id' | 'workspace_id'>;

const COLUMNS = sql`profiles.id, profiles.workspace_id, profiles.external_id, profiles.name, profiles.email,
  profiles.attributes, profiles.first_seen_at, profiles.active_days, profiles.created_at, profiles.updated_at,
  listed.last_seen_at, listed.state, listed.engagement, listed.churn_risk, listed.days_since_last_seen,
  listed.days_since_first_seen, listed.active_days_last_7, listed.active_days_last_28, listed.active_days_this_week,
  listed.active_days_last_week, listed.week_over_week, listed.evaluated_at, listed.evaluation_id, listed.previous_state`;

const JOINED = sql`profile_states as listed join profiles on profiles.id = listed.profile_id`;

/** What a list of profiles shows. */
export interface ProfileFilter {
  state?: string | undefined;
  q?: string | undefined;
}

/** Profiles of a workspace, the latest seen first: from the index of that order, with the state or without. */
export async function listProfiles(
  queries: Queries,
  workspaceId: string,
  { state, q }: ProfileFilter,
  bound: Bound,
  limit: number,
): Promise<ProfileRow[]> {
  const words = q === undefined ? undefined : wordsOf(q);
  if (words?.length === 0) return [];
  const conditions: RawBuilder<unknown>[] = [sql`listed.workspace_id = ${workspaceId}`];
  if (state !== undefined) conditions.push(sql`listed.state = ${state}`);
  if (words) conditions.push(matching(queries, searchQuery(queries, workspaceId, words)));
  if (bound.key !== undefined) {
    const [, at, id] = /^(-?\d+):(.*)$/.exec(bound.key) ?? [];
    const comparison = sql.raw(idComparison(bound));
    conditions.push(sql`(listed.last_seen_at, listed.profile_id) ${comparison} (${Number(at)}, ${id})`);
  }
  const direction = sql.raw(bound.side === 'after' ? 'desc' : 'asc');
  const { rows } = await sql<ProfileRow>`
    select ${COLUMNS} from ${JOINED} where ${sql.join(conditions, sql` and `)}
    order by listed.last_seen_at ${direction}, listed.profile_id ${direction} limit ${limit}`.execute(queries);
  return rows;
}

/** The place of a profile in the list. */
export const profileKey = ({ last_seen_at, id }: ProfileRow): string => `${last_seen_at}:${id}`;

export async function findProfile(queries: Queries, workspaceId: string, id: string): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${COLUMNS} from ${JOINED} where listed.workspace_id = ${workspaceId} and listed.profile_id = ${id}`.execute(
    queries,
  );
  return rows[0];
}
