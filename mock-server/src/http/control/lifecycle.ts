import { EventSchema } from '@svc/contract/schemas';
import { z } from 'zod';
import { type DataSource, dataSourceProblem, nextSyncAt } from '../../domain/profiles/data-source.ts';
import { EVALUATION_TRIGGERS } from '../../domain/profiles/evaluation.ts';
import { LIFECYCLE_STATES } from '../../domain/profiles/state.ts';
import type { LifecycleTable } from '../../storage/schema/profiles.ts';
import { findLifecycle, lockLifecycle, saveLifecycle } from '../../storage/statements/profiles/lifecycle-row.ts';
import { listEvaluations } from '../../storage/statements/profiles/list-evaluations.ts';
import { ApiError, validation } from '../errors.ts';
import { answerPage } from '../list.ts';
import { presentEvaluation } from '../present/evaluation.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';
import { envelope, listOf, page } from './page.ts';
import { requireWorkspace } from './require-workspace.ts';

const LOCATION_MAX = 2_048;

const sync = z.object({
  startedAt: z.string(),
  finishedAt: z.string(),
  upserted: z.int(),
  rejected: z.int(),
  problems: z.array(z.object({ line: z.int(), message: z.string() })),
  error: z.string().nullable(),
});

const sourceBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('push') }),
  z.strictObject({
    kind: z.literal('ndjson'),
    location: z.string().min(1).max(LOCATION_MAX),
    schedule: z.string().nullable().default(null),
  }),
]);

const sourceAnswer = z.object({
  dataSource: z.object({
    kind: z.enum(['push', 'ndjson']),
    location: z.string().optional(),
    schedule: z.string().nullable().optional(),
    lastSync: sync.nullable(),
    nextSyncAt: z.string().nullable(),
  }),
});

const evaluation = z.object({
  id: z.string(),
  workspaceId: z.string(),
  eventId: z.string(),
  trigger: z.enum(EVALUATION_TRIGGERS),
  startedAt: z.string(),
  finishedAt: z.string(),
  profiles: z.int(),
  changed: z.int(),
  states: z.object(Object.fromEntries(LIFECYCLE_STATES.map((state) => [state, z.int()]))),
  transitions: z.array(
    z.object({ from: z.enum(LIFECYCLE_STATES).nullable(), to: z.enum(LIFECYCLE_STATES), profiles: z.int() }),
  ),
  syncError: z.string().nullable(),
});

const timeOrNull = (at: number | null | undefined) => (at === null || at === undefined ? null : toTimestamp(at));

const sourceOf = (row: LifecycleTable | undefined): DataSource =>
  row?.source ? (JSON.parse(row.source) as DataSource) : { kind: 'push' };

const presentSource = (row: LifecycleTable | undefined) => ({
  dataSource: {
    ...sourceOf(row),
    lastSync: row?.last_sync ? (JSON.parse(row.last_sync) as unknown) : null,
    nextSyncAt: timeOrNull(row?.next_sync_at),
  },
});

const readSource = controlOperation({
  method: 'GET',
  path: '/_control/workspaces/{id}/data-source',
  summary: 'Show the data source of a workspace',
  description: 'The response includes the result of the latest sync.',
  status: 200,
  answer: sourceAnswer,
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' } }) {
    await requireWorkspace(services, id);
    return presentSource(await services.storage.read((queries) => findLifecycle(queries, id)));
  },
});

const setSource = controlOperation({
  method: 'PUT',
  path: '/_control/workspaces/{id}/data-source',
  summary: 'Set the data source of a workspace',
  description:
    'Profiles are pushed, or the server reads them from a file or an https URL. It reads on request, or on a schedule that begins now.',
  body: sourceBody,
  status: 200,
  answer: sourceAnswer,
  changes: { lifecycle: true },
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' }, body: source }) {
    await requireWorkspace(services, id);
    const problem = dataSourceProblem(source, services);
    if (problem) throw validation(`Invalid body: "${problem.path}" ${problem.problem}.`);
    const next = nextSyncAt(source, services.clock.now());
    const row = await services.storage.write(async (queries) => {
      const known = await lockLifecycle(queries, id);
      const text = source.kind === 'push' ? null : JSON.stringify(source);
      const changed = { ...known, source: text, next_sync_at: next };
      await saveLifecycle(queries, changed);
      return changed;
    });
    services.lifecycle.wake();
    return presentSource(row);
  },
});

const syncNow = controlOperation({
  method: 'POST',
  path: '/_control/workspaces/{id}/data-source/sync',
  summary: 'Read the data source of a workspace now',
  status: 200,
  answer: z.object({ sync }),
  refusals: {
    404: 'No such workspace.',
    409: 'The profiles of this workspace are pushed: there is no source to read.',
  },
  async handle({ services, params: { id = '' } }) {
    await requireWorkspace(services, id);
    const source = sourceOf(await services.storage.read((queries) => findLifecycle(queries, id)));
    if (source.kind === 'push') {
      throw new ApiError('CONFLICT', 'The profiles of this workspace are pushed: there is no source to read.');
    }
    return { sync: await services.lifecycle.sync(id, source) };
  },
});

const evaluateNow = controlOperation({
  method: 'POST',
  path: '/_control/workspaces/{id}/evaluate',
  summary: 'Evaluate the profiles of a workspace now',
  description: 'If an evaluation is running, this one follows it.',
  status: 200,
  answer: z.object({ evaluation, event: EventSchema }),
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' } }) {
    await requireWorkspace(services, id);
    return await services.lifecycle.evaluate(id);
  },
});

const readEvaluations = controlOperation({
  method: 'GET',
  path: '/_control/workspaces/{id}/evaluations',
  summary: 'List the evaluations of a workspace, newest first',
  query: z.object(page),
  status: 200,
  answer: envelope(evaluation),
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' }, query }) {
    await requireWorkspace(services, id);
    return await answerPage(
      listOf(services, `/_control/workspaces/${id}/evaluations`, {}, query),
      (bound, limit) => services.storage.read((queries) => listEvaluations(queries, id, bound, limit)),
      (row) => row.id,
      presentEvaluation,
    );
  },
});

const readSchedule = controlOperation({
  method: 'GET',
  path: '/_control/workspaces/{id}/schedule',
  summary: 'Show when the next evaluation and the next sync are due',
  description: 'A time is null if nothing is scheduled.',
  status: 200,
  answer: z.object({ nextEvaluationAt: z.string().nullable(), nextSyncAt: z.string().nullable() }),
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' } }) {
    await requireWorkspace(services, id);
    const row = await services.storage.read((queries) => findLifecycle(queries, id));
    return { nextEvaluationAt: timeOrNull(row?.next_evaluation_at), nextSyncAt: timeOrNull(row?.next_sync_at) };
  },
});

/** The calls about data sources and evaluations. */
export const lifecycleOperations = [readSource, setSource, syncNow, evaluateNow, readEvaluations, readSchedule];
