import type { ControlDataSource, ControlEvaluation } from '@svc/contract/control/types';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';
import { useControl } from './use-control.ts';

const EVALUATIONS = 30;

/** Reads the latest evaluations of a workspace, newest first. */
export const useEvaluations = (workspaceId: string): Query<ControlEvaluation[]> =>
  useQuery(`evaluations ${workspaceId}`, async () => {
    const options = { params: { workspaceId }, query: { limit: EVALUATIONS } };
    return (await control('GET', '/workspaces/{workspaceId}/evaluations', options)).data;
  }, ['lifecycle']);

export const useDataSource = (workspaceId: string): Query<ControlDataSource> =>
  useQuery(
    `data source ${workspaceId}`,
    async () => (await control('GET', '/workspaces/{workspaceId}/data-source', { params: { workspaceId } })).dataSource,
    ['lifecycle'],
  );

/** Returns the times of the next evaluation and the next sync. A time is null if nothing is scheduled. */
export const useSchedule = (workspaceId: string) =>
  useControl('/workspaces/{workspaceId}/schedule', { params: { workspaceId } }, ['lifecycle', 'tenants', 'clock']);

/** Evaluates the profiles of a workspace, and returns the finished evaluation. */
export const evaluateNow = async (workspaceId: string): Promise<ControlEvaluation> =>
  (await control('POST', '/workspaces/{workspaceId}/evaluate', { params: { workspaceId } })).evaluation;
