import type pg from 'pg';

/** The purpose of a connection: the API, or the delivery engine, which must not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/** Time-outs of every session, in milliseconds, as startup parameters. */
export const timeoutParameters: pg.ClientConfig = {
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

/** Further settings of a session. */
export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> => (purpose === 'engine' ? SEEKS : {});
