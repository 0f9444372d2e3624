/** A fault to put into the engine. */
export interface Mutation {
  /** The end of the file's path. */
  file: string;
  /** The text to replace. It must occur once. */
  replace: string;
  by: string;
  /** The first seed, if the simulator needs hundreds to find the fault. It was chosen near one that finds it. */
  from?: number;
}

/** Faults that the engine once had, and some that a change could bring. The simulator must find each. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a claim without a reply is forgotten': {
    file: 'delivery/queue/claims.ts',
    replace:
      'for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);',
    by: '',
  },
  'a release without a reply is forgotten': {
    file: 'delivery/queue/claims.ts',
    replace: 'if (!stored.has(lane.endpointId)) held.drop(lane);',
    by: ';',
  },
  'a result counts although its delivery has left its place and its session has ended': {
    file: 'delivery/store-results.ts',
    replace: `retry = ? and due_at = ? and delivery_id = ? and attempt = ?
    and exists (select 1 from delivery_nodes where id = ?)`,
    by: `retry = ? in (0, 1) and due_at = ? in (0, 1) and delivery_id = ? and attempt = ? in (0, 1) and ? is not null`,
    from: 410,
  },
  'a give-back trusts an older look': {
    file: 'delivery/queue/give-back.ts',
    replace: 'sessions.has(session) && !active.has(endpointId)',
    by: 'sessions.has(session) && (active.has(endpointId) || true)',
  },
  'a success does not reset a failure count that came back when a standby took over': {
    file: 'delivery/dispatcher-parts.ts',
    replace: '    held.databaseLost();\n',
    by: '',
    from: 2_060_600,
  },
  'a slot is not given back': {
    file: 'delivery/lanes/rotation.ts',
    replace: `      landing(attempt);
      slots.giveBack(attempt.lane.workspaceId);`,
    by: '      landing(attempt);',
  },
};
