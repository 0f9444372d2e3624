import { type DataSource, dataSourceProblem, nextSyncAt, type Sync } from '../../domain/profiles/data-source.ts';
import type { LifecycleTable } from '../../storage/schema/profiles.ts';
import { listEvaluations } from '../../storage/statements/profiles/evaluations.ts';
import { findLifecycle, lockLifecycle, saveLifecycle } from '../../storage/statements/profiles/lifecycles.ts';
import { ApiError, validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { presentEvaluation } from '../present/evaluation.ts';
import { toTimestampOrNull } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';
import { requireWorkspace } from './require-workspace.ts';

const sourceOf = (row: LifecycleTable | undefined): DataSource =>
  row?.source ? (JSON.parse(row.source) as DataSource) : { kind: 'push' };

const presentSource = (row: LifecycleTable | undefined) => ({
  dataSource: {
    ...sourceOf(row),
    lastSync: row?.last_sync ? (JSON.parse(row.last_sync) as Sync) : null,
    nextSyncAt: toTimestampOrNull(row?.next_sync_at),
  },
});

/** The calls for data sources and evaluations. */
export const lifecycleHandlers = {
  async readDataSource({ services, params: { workspaceId } }) {
    await requireWorkspace(services, workspaceId);
    return presentSource(await services.storage.read((queries) => findLifecycle(queries, workspaceId)));
  },

  async setDataSource({ services, params: { workspaceId }, body: source }) {
    await requireWorkspace(services, workspaceId);
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
    await requireWorkspace(services, workspaceId);
    const source = sourceOf(await services.storage.read((queries) => findLifecycle(queries, workspaceId)));
    if (source.kind === 'push') {
      throw new ApiError('CONFLICT', 'The profiles of this workspace are pushed: there is no source to read.');
    }
    return { sync: await services.lifecycle.sync(workspaceId, source) };
  },

  async evaluate({ services, params: { workspaceId } }) {
    await requireWorkspace(services, workspaceId);
    return await services.lifecycle.evaluate(workspaceId);
  },

  async listEvaluations({ services, path, params: { workspaceId }, query }) {
    await requireWorkspace(services, workspaceId);
    return await respondWithPage(
      { services, path, query },
      (bound, limit) => services.storage.read((queries) => listEvaluations(queries, workspaceId, bound, limit)),
      (row) => row.id,
      presentEvaluation,
    );
  },

  async readSchedule({ services, params: { workspaceId } }) {
    await requireWorkspace(services, workspaceId);
    const row = await services.storage.read((queries) => findLifecycle(queries, workspaceId));
    return {
      nextEvaluationAt: toTimestampOrNull(row?.next_evaluation_at),
      nextSyncAt: toTimestampOrNull(row?.next_sync_at),
    };
  },
} satisfies Partial<ControlHandlers>;
