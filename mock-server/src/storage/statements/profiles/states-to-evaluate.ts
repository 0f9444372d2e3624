import { sql } from 'kysely';
import type { Queries } from '../../port.ts';
import type { ProfileStateTable } from '../../schema/profiles.ts';

/** The columns of a profile that an evaluation reads. */
export type ProfileToEvaluate = ProfileStateTable & { first_seen_at: number; active_days: string };

/** The next profiles of a workspace by id, from the primary key. */
export async function findProfilesToEvaluate(
  queries: Queries,
  workspaceId: string,
  afterId: string,
  limit: number,
): Promise<ProfileToEvaluate[]> {
  const { rows } = await sql<ProfileToEvaluate>`
    select evaluated.workspace_id, evaluated.profile_id, evaluated.last_seen_at, evaluated.state, evaluated.engagement,
      evaluated.churn_risk, evaluated.days_since_last_seen, evaluated.days_since_first_seen,
      evaluated.active_days_last_7, evaluated.active_days_last_28, evaluated.active_days_this_week,
      evaluated.active_days_last_week, evaluated.week_over_week, evaluated.evaluated_at, evaluated.evaluation_id,
      evaluated.previous_state, profiles.first_seen_at, profiles.active_days
    from profile_states as evaluated join profiles on profiles.id = evaluated.profile_id
    where evaluated.workspace_id = ${workspaceId} and evaluated.profile_id > ${afterId}
    order by evaluated.profile_id limit ${limit}`.execute(queries);
  return rows;
}
