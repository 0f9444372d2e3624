import { sql } from 'kysely';
import type { Measured } from '../../../domain/profiles/evaluation.ts';
import type { LifecycleState } from '../../../domain/profiles/state.ts';
import type { ColumnsOf } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';
import type { ProfileStateTable } from '../../schema/profiles.ts';

export type ProfileToEvaluate = ProfileStateTable & { first_seen_at: number; active_days: string };

/** Finds the highest profile id of a workspace. Returns an empty string if there are no profiles. */
export async function lastProfileId(queries: Queries, workspaceId: string): Promise<string> {
  const row = await queries
    .selectFrom('profile_states')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('profile_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.profile_id ?? '';
}

export const hasProfiles = async (queries: Queries, workspaceId: string): Promise<boolean> =>
  (await lastProfileId(queries, workspaceId)) !== '';

/** Finds the next profiles of a workspace in the order of the primary key, up to the id `upToId`. */
export async function findProfilesToEvaluate(
  queries: Queries,
  workspaceId: string,
  { afterId, upToId, limit }: { afterId: string; upToId: string; limit: number },
) {
  const { rows } = await sql<ProfileToEvaluate>`
    select evaluated.*, profiles.first_seen_at, profiles.active_days
    from profile_states as evaluated join profiles on profiles.id = evaluated.profile_id
    where evaluated.workspace_id = ${workspaceId} and evaluated.profile_id > ${afterId}
      and evaluated.profile_id <= ${upToId}
    order by evaluated.profile_id limit ${limit}`.execute(queries);
  return rows;
}

export interface EvaluatedProfile extends Measured {
  profileId: string;
  previousState: LifecycleState | null;
  /** Whether `state` differs from the state that is stored now. */
  isNewState: boolean;
}

export const MEASURED = {
  engagement: ['integer', ({ scores }) => scores.engagement],
  churn_risk: ['integer', ({ scores }) => scores.churnRisk],
  days_since_last_seen: ['integer', ({ signals }) => signals.daysSinceLastSeen],
  days_since_first_seen: ['integer', ({ signals }) => signals.daysSinceFirstSeen],
  active_days_last_7: ['integer', ({ signals }) => signals.activeDaysLast7],
  active_days_last_28: ['integer', ({ signals }) => signals.activeDaysLast28],
  active_days_this_week: ['integer', ({ signals }) => signals.activeDaysThisWeek],
  active_days_last_week: ['integer', ({ signals }) => signals.activeDaysLastWeek],
  week_over_week: ['integer', ({ signals }) => signals.weekOverWeek],
} satisfies ColumnsOf<Measured>;

/** Whether a row already contains `measured`, the results of an evaluation. */
export const isMeasured = (row: ProfileToEvaluate, measured: Measured): boolean =>
  row.state === measured.state &&
  Object.entries(MEASURED).every(([column, [, read]]) => row[column as keyof typeof MEASURED] === read(measured));
