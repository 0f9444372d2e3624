import type { ControlProfile } from '@svc/contract/control/resources';
import { unpackDays } from '../../domain/profiles/active-days.ts';
import { dataSourceOf, dataSourceProblem, nextSyncAt, type Sync } from '../../domain/profiles/data-source.ts';
import type { Evaluation } from '../../domain/profiles/evaluation.ts';
import { deleteProfile, lockLifecycle } from '../../storage/changes/profiles.ts';
import type { EvaluationTable, LifecycleTable } from '../../storage/schema/profiles.ts';
import { listEvaluations } from '../../storage/statements/profiles/evaluations.ts';
import { findLifecycle, saveLifecycle } from '../../storage/statements/profiles/lifecycles.ts';
import {
  findProfile,
  listProfiles,
  type ProfileRow,
  profileKey,
} from '../../storage/statements/profiles/list-profiles.ts';
import { conflict, found, notFound, validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { searchWordsOf } from '../parse.ts';
import { toTimestamp, toTimestampOrNull } from '../present.ts';
import type { ControlHandlers } from './operation.ts';

export const lifecycleHandlers = {
  async importProfiles({ services, params: { workspaceId }, body: { format, chunks } }) {
    return await services.lifecycle.importProfiles(workspaceId, chunks, format);
  },

  async listProfiles(request) {
    const { workspaceId } = request.params;
    const { state, q } = request.query;
    if (q !== undefined) searchWordsOf(q);
    return await respondWithPage(
      request,
      (queries, bound, limit) => listProfiles(queries, { workspaceId, state, q }, bound, limit),
      profileKey,
      presentProfile,
    );
  },

  async readProfile({ services, params: { workspaceId, profileId } }) {
    const row = await services.storage.read((queries) => findProfile(queries, workspaceId, profileId));
    return { profile: presentProfile(found(row, 'profile', profileId)) };
  },

  async deleteProfile({ services, params: { workspaceId, profileId } }) {
    const isDeleted = await services.storage.write((queries) => deleteProfile(queries, workspaceId, profileId));
    if (!isDeleted) throw notFound('profile', profileId);
    return { ok: true };
  },

  async readDataSource({ services, params: { workspaceId } }) {
    return presentSource(await services.storage.read((queries) => findLifecycle(queries, workspaceId)));
  },

  async setDataSource({ services, params: { workspaceId }, body: source }) {
    const problem = dataSourceProblem(source, services);
    if (problem) throw validation(`Invalid body: "${problem.path}" ${problem.problem}.`);
    const next = nextSyncAt(source, services.clock.now());
    const row = await services.storage.write(async (queries) => {
      const known = await lockLifecycle(queries, workspaceId);
      const text = source.kind === 'push' ? null : JSON.stringify(source);
      const changed = { ...known, source: text, next_sync_at: next };
      await saveLifecycle(queries, changed);
      return changed;
    });
    services.lifecycle.wake();
    return presentSource(row);
  },

  async syncDataSource({ services, params: { workspaceId } }) {
    const sync = await services.lifecycle.sync(workspaceId);
    if (sync) return { sync };
    throw conflict('Callers push the profiles of this workspace, so there is no data source to read.');
  },

  async evaluate({ services, params: { workspaceId } }) {
    return await services.lifecycle.evaluate(workspaceId);
  },

  async listEvaluations(request) {
    const { workspaceId } = request.params;
    return await respondWithPage(
      request,
      (queries, bound, limit) => listEvaluations(queries, workspaceId, bound, limit),
      (row) => row.id,
      presentEvaluation,
    );
  },

  async readSchedule({ services, params: { workspaceId } }) {
    const row = await services.storage.read((queries) => findLifecycle(queries, workspaceId));
    return {
      nextEvaluationAt: toTimestampOrNull(row?.next_evaluation_at),
      nextSyncAt: toTimestampOrNull(row?.next_sync_at),
    };
  },
} satisfies Partial<ControlHandlers>;

const presentSource = (row: LifecycleTable | undefined) => ({
  dataSource: {
    ...dataSourceOf(row),
    lastSync: row?.last_sync ? (JSON.parse(row.last_sync) as Sync) : null,
    nextSyncAt: toTimestampOrNull(row?.next_sync_at),
  },
});

function presentProfile(row: ProfileRow): ControlProfile {
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
    state: row.state,
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

function presentEvaluation(row: EvaluationTable): Evaluation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    eventId: row.event_id,
    trigger: row.trigger,
    startedAt: toTimestamp(row.started_at),
    finishedAt: toTimestamp(row.finished_at),
    profiles: row.profiles,
    changed: row.changed,
    states: JSON.parse(row.states) as Evaluation['states'],
    transitions: JSON.parse(row.transitions) as Evaluation['transitions'],
    syncError: row.sync_error,
  };
}
