import { sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import type { Scores } from '../../../domain/profiles/scores.ts';
import type { Signals } from '../../../domain/profiles/signals.ts';
import type { LifecycleState } from '../../../domain/profiles/state.ts';
import { type Row, runForRows } from '../../many-rows.ts';
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

/** The result of an evaluation for one profile. */
export interface EvaluatedProfile {
  profileId: string;
  state: LifecycleState;
  previousState: LifecycleState | null;
  /** Whether `state` differs from the stored state. */
  isNewState: boolean;
  scores: Scores;
  signals: Signals;
}

const MEASURED = {
  engagement: 'integer',
  churn_risk: 'integer',
  days_since_last_seen: 'integer',
  days_since_first_seen: 'integer',
  active_days_last_7: 'integer',
  active_days_last_28: 'integer',
  active_days_this_week: 'integer',
  active_days_last_week: 'integer',
  week_over_week: 'integer',
  evaluated_at: 'bigint',
  evaluation_id: 'text',
  previous_state: 'text',
} as const;
const KEY = { workspace_id: 'text', profile_id: 'text' } as const;

/** Writes the changes of an evaluation. If the state is the same, the index of states is not changed. */
export async function updateStates(
  queries: Queries,
  evaluation: { id: string; workspaceId: string; at: Instant },
  profiles: readonly EvaluatedProfile[],
): Promise<void> {
  const measured = ({ profileId, previousState, scores, signals }: EvaluatedProfile): Row => [
    scores.engagement,
    scores.churnRisk,
    signals.daysSinceLastSeen,
    signals.daysSinceFirstSeen,
    signals.activeDaysLast7,
    signals.activeDaysLast28,
    signals.activeDaysThisWeek,
    signals.activeDaysLastWeek,
    signals.weekOverWeek,
    evaluation.at,
    evaluation.id,
    previousState,
    evaluation.workspaceId,
    profileId,
  ];
  const same = profiles.filter(({ isNewState }) => !isNewState);
  const moved = profiles.filter(({ isNewState }) => isNewState);
  await runForRows(queries, { ...MEASURED, ...KEY }, same.map(measured), updating(Object.keys(MEASURED)));
  await runForRows(
    queries,
    { state: 'text', ...MEASURED, ...KEY },
    moved.map((profile) => [profile.state, ...measured(profile)]),
    updating(['state', ...Object.keys(MEASURED)]),
  );
}

const updating = (columns: readonly string[]) => ({
  sqlite: `update profile_states set ${columns.map((name) => `${name} = ?`).join(', ')}
    where workspace_id = ? and profile_id = ?`,
  postgres: (given: string) => `update profile_states set ${columns.map((name) => `${name} = given.${name}`).join(', ')}
    from ${given} where profile_states.workspace_id = given.workspace_id
      and profile_states.profile_id = given.profile_id`,
});
