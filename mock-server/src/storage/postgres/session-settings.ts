import type pg from 'pg';

/** What a node's connections are for: its API, or its delivery engine, which must not wait for those. */
export type Purpose = 'api' | 'engine';

/**
 * What a connection is to the database. It has a session of its own, or it shares sessions with others: a pooler such as
 * PgBouncer gives each transaction any session that is free, and keeps neither settings nor prepared statements for it.
 */
export type Sessions = 'own' | 'shared';

/** Settings of a session, or of a transaction if sessions are shared. */
const TIMEOUTS = {
  // No statement of the server takes long. One that does waits for a lock or a disk, and is given up.
  statement_timeout: 10_000,
  // A transaction whose node stopped in its middle holds no lock for longer than this.
  idle_in_transaction_session_timeout: 15_000,
};
/**
 * Each of the engine's statements is a few seeks in indexes, whatever the tables hold. The planner may know a table's
 * statistics from when it was empty, and must not read it whole. It need not think about each statement anew, either.
 */
const SEEKS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const BEGIN = 'begin isolation level read committed';

/** The time-outs of a connection that has a session of its own, as parameters of its start. */
export const timeoutParameters: pg.ClientConfig = TIMEOUTS;

/** Further settings of such a session. */
export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> => (purpose === 'engine' ? SEEKS : {});

/** The statements that begin a transaction (READ COMMITTED), with its settings if sessions are shared. */
export function openingStatements(purpose: Purpose, sessions: Sessions): readonly string[] {
  if (sessions === 'own') return [BEGIN];
  const settings = Object.entries({ ...TIMEOUTS, ...(purpose === 'engine' && SEEKS) });
  return [BEGIN, `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`];
}
