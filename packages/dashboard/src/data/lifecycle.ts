import type { ControlDataSource, ControlEvaluation } from '@svc/mock-server/control';
import { type ControlPage, control } from './control.ts';
import { type Query, useQuery } from './query.ts';

const EVALUATIONS = 30;

const path = (workspaceId: string, rest: string) => `/workspaces/${encodeURIComponent(workspaceId)}/${rest}`;

/** The latest evaluations of a workspace, newest first. */
export const useEvaluations = (workspaceId: string): Query<ControlEvaluation[]> =>
  useQuery(
    `evaluations ${workspaceId}`,
    async () => {
      const query = { limit: EVALUATIONS };
      return (await control<ControlPage<ControlEvaluation>>('GET', path(workspaceId, 'evaluations'), { query })).data;
    },
    ({ lifecycle }) => lifecycle === true,
  );

/** Where a workspace's profiles come from. */
export const useDataSource = (workspaceId: string): Query<ControlDataSource> =>
  useQuery(
    `data source ${workspaceId}`,
    async () => (await control<{ dataSource: ControlDataSource }>('GET', path(workspaceId, 'data-source'))).dataSource,
    ({ lifecycle }) => lifecycle === true,
  );

/** When the next evaluation and sync of a workspace are due; null if none is scheduled. */
export const useSchedule = (
  workspaceId: string,
): Query<{ nextEvaluationAt: string | null; nextSyncAt: string | null }> =>
  useQuery(
    `schedule ${workspaceId}`,
    async () => await control('GET', path(workspaceId, 'schedule')),
    ({ lifecycle, tenants, clock }) => lifecycle === true || tenants === true || clock !== undefined,
  );

/** Runs one evaluation. Resolves when it has ended. */
export const evaluateNow = async (workspaceId: string): Promise<ControlEvaluation> =>
  (await control<{ evaluation: ControlEvaluation }>('POST', path(workspaceId, 'evaluate'))).evaluation;
