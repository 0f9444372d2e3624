import type { EndpointState, WorkspaceSchedule } from '@svc/contract/control/types';

export interface DueWork {
  what: 'attempt' | 'evaluation' | 'sync';
  at: string;
}

/** Returns the workspace's next due work: an attempt, an evaluation or a sync. */
export function nextDueOf(
  endpoints: Iterable<Pick<EndpointState, 'nextDueAt'>>,
  schedule: WorkspaceSchedule,
): DueWork | undefined {
  const attempts = Array.from(endpoints, ({ nextDueAt }) => ({ what: 'attempt' as const, at: nextDueAt }));
  const work = [
    ...attempts,
    { what: 'evaluation' as const, at: schedule.nextEvaluationAt },
    { what: 'sync' as const, at: schedule.nextSyncAt },
  ];
  return work
    .filter((one): one is DueWork => one.at !== null)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))[0];
}

/** Whether the server's next due work belongs to another workspace. */
export const isOfAnother = (onServer: string | null, here: DueWork | undefined): onServer is string =>
  onServer !== null && (here === undefined || Date.parse(onServer) < Date.parse(here.at));
