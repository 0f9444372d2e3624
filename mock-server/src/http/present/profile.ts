import type { ControlProfile } from '@svc/contract/control/resources';
import { unpackDays } from '../../domain/profiles/active-days.ts';
import type { LifecycleState } from '../../domain/profiles/state.ts';
import type { ProfileRow } from '../../storage/statements/profiles/list-profiles.ts';
import { toTimestamp, toTimestampOrNull } from './timestamp.ts';

/**
 * Converts a profile to the form of the control API. State, scores and signals are null before the first evaluation.
 */
export function presentProfile(row: ProfileRow): ControlProfile {
  const isEvaluated = row.state !== null;
  return {
    id: row.id,
    externalId: row.external_id,
    name: row.name,
    email: row.email,
    attributes: JSON.parse(row.attributes) as Record<string, unknown>,
    firstSeenAt: toTimestamp(row.first_seen_at),
    lastSeenAt: toTimestamp(row.last_seen_at),
    activeDays: unpackDays(row.active_days),
    state: row.state as LifecycleState | null,
    scores: isEvaluated ? { engagement: Number(row.engagement), churnRisk: Number(row.churn_risk) } : null,
    signals: isEvaluated
      ? {
          daysSinceLastSeen: Number(row.days_since_last_seen),
          daysSinceFirstSeen: Number(row.days_since_first_seen),
          activeDaysLast7: Number(row.active_days_last_7),
          activeDaysLast28: Number(row.active_days_last_28),
          activeDaysThisWeek: Number(row.active_days_this_week),
          activeDaysLastWeek: Number(row.active_days_last_week),
          weekOverWeek: Number(row.week_over_week),
        }
      : null,
    evaluatedAt: toTimestampOrNull(row.evaluated_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}
