import type { FaultKind } from '../../simulate/faults.ts';

export interface Mutation {
  /** The end of the file's path. */
  file: string;
  /** The text to replace. It must occur once. */
  replace: string;
  by: string;
  /**
   * The simulated faults that may happen in each run. Set these faults only if runs with a mixture of all faults rarely
   * find this defect.
   */
  faults?: readonly FaultKind[];
  /** The first seed to run, shortly before a seed that finds this defect. Default: 1. */
  from?: number;
}

/** Defects that the engine once had, and defects that a change could introduce. The simulator must find each defect. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a claim without a reply is forgotten': {
    file: 'delivery/queue/claims.ts',
    replace:
      'for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);',
    by: '',
  },
  'a release without a reply is forgotten': {
    file: 'delivery/queue/claims.ts',
    replace: 'for (const lane of held.lanes.values()) if (!stored.has(lane.endpointId)) held.drop(lane);',
    by: '',
  },
  'a result counts although its delivery has left its place': {
    file: 'delivery/store-results.ts',
    replace: 'retry = ? and due_at = ? and delivery_id = ? and attempt = ?',
    by: 'retry = ? in (0, 1) and due_at = ? in (0, 1) and delivery_id = ? and attempt = ? in (0, 1)',
    from: 590,
  },
  'a result counts although its session has ended': {
    file: 'delivery/store-results.ts',
    replace: 'and exists (select 1 from delivery_nodes where id = ?)',
    by: 'and ? is not null',
  },
  'the end of deliveries to inactive endpoints trusts an older look': {
    file: 'delivery/queue/release-lanes.ts',
    replace: 'sessions.has(session) && !active.has(endpointId)',
    by: 'sessions.has(session) && (active.has(endpointId) || true)',
  },
  'a success does not reset a failure count': {
    file: 'delivery/store-results.ts',
    replace: 'where id = endpoint_id and consecutive_failures > 0',
    by: 'where id = endpoint_id and consecutive_failures > 9',
  },
  'a slot is not freed': {
    file: 'delivery/lanes/rotation.ts',
    replace: `      landing(attempt);
      slots.free(attempt.lane.workspaceId);`,
    by: '      landing(attempt);',
  },
  'a result and its count are stored in two commits': {
    file: 'delivery/queue/results.ts',
    replace: 'await storage.write((queries) => storeAndCount(queries, session, rest, counting))',
    by: `await storage.write((queries) => storeResults(queries, session, rest)).then(async (moved) => {
        const ended = rest.filter(({ delivery, transition }) => transition.status !== 'pending' && moved.includes(delivery.id));
        return { moved, autoDisabled: await storage.write((queries) => autoDisable(queries, ended, counting)) };
      })`,
  },
  'a response that breaks off counts as a success': {
    file: 'delivery/sending/attempt.ts',
    replace: 'result.error ?? errorOfStatus(result.response.status)',
    by: 'result.response ? errorOfStatus(result.response.status) : result.error',
  },
  'an expired secret still signs': {
    file: 'statements/secrets.ts',
    replace: 'and (expires_at is null or expires_at >',
    by: 'and (true or expires_at >',
  },
};
