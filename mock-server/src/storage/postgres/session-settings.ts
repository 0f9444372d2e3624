import type pg from 'pg';

/** The purpose of a connection: the API, or the delivery engine, which must not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/**
 * Whether a connection has its own session or shares sessions. A pooler such as PgBouncer runs each transaction in any
 * free session. It keeps neither settings nor prepared statements for a connection.
 */
export type Sessions = 'own' | 'shared';

/** Settings of a session, or of a transaction if sessions are shared. */
const TIMEOUTS = {
  // No statement of the server takes long. A slow one waits for a lock or a disk and is cancelled.
  statement_timeout: 10_000,
  // If a node stops during a transaction, the locks are held no longer than this.
  idle_in_transaction_session_timeout: 15_000,
};
/**
 * Each of the engine's statements is a few index look-ups, however large the tables are. The planner may have
 * statistics from when a table was empty, and must not scan it. It also need not plan each statement again.
 */
const SEEKS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const BEGIN = 'begin isolation level read committed';

/** The time-outs of a connection with its own session, as startup parameters. */
export const timeoutParameters: pg.ClientConfig = TIMEOUTS;

/** Further settings of such a session. */
export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> => (purpose === 'engine' ? SEEKS : {});

/** The statements that begin a transaction (READ COMMITTED), with its settings if sessions are shared. */
export function openingStatements(purpose: Purpose, sessions: Sessions): readonly string[] {
  if (sessions === 'own') return [BEGIN];
  const settings = Object.entries({ ...TIMEOUTS, ...(purpose === 'engine' && SEEKS) });
  return [BEGIN, `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`];
}
