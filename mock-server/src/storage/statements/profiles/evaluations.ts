import type { Evaluation } from '../../../domain/profiles/evaluation.ts';
import { listId } from '../../dialect.ts';
import { type Bound, rowsFrom } from '../../keyset.ts';
import type { Queries } from '../../port.ts';

export async function listEvaluations(queries: Queries, workspaceId: string, bound: Bound, limit: number) {
  return await queries
    .selectFrom('evaluations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$call(rowsFrom(bound, limit, listId(queries)))
    .execute();
}

export async function insertEvaluation(queries: Queries, evaluation: Evaluation): Promise<void> {
  await queries
    .insertInto('evaluations')
    .values({
      id: evaluation.id,
      workspace_id: evaluation.workspaceId,
      event_id: evaluation.eventId,
      trigger: evaluation.trigger,
      started_at: Date.parse(evaluation.startedAt),
      finished_at: Date.parse(evaluation.finishedAt),
      profiles: evaluation.profiles,
      changed: evaluation.changed,
      states: JSON.stringify(evaluation.states),
      transitions: JSON.stringify(evaluation.transitions),
      sync_error: evaluation.syncError,
    })
    .execute();
}
