import type { Evaluation } from '../../domain/profiles/evaluation.ts';
import type { EvaluationTable } from '../../storage/schema/profiles.ts';
import { toTimestamp } from './timestamp.ts';

/** Converts an evaluation to the form of the control API. */
export function presentEvaluation(row: EvaluationTable): Evaluation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    eventId: row.event_id,
    trigger: row.trigger as Evaluation['trigger'],
    startedAt: toTimestamp(row.started_at),
    finishedAt: toTimestamp(row.finished_at),
    profiles: row.profiles,
    changed: row.changed,
    states: JSON.parse(row.states) as Evaluation['states'],
    transitions: JSON.parse(row.transitions) as Evaluation['transitions'],
    syncError: row.sync_error,
  };
}
