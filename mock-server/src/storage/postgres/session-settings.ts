import type pg from 'pg';

/** The purpose of a connection: the API, or the delivery engine, which must not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/** Timeouts of every session, in milliseconds, as startup parameters. */
export const timeoutParameters: pg.ClientConfig = {
  // No statement of the server takes a long time by itself. A slow one waits for a lock or a disk, so it is cancelled.
  statement_timeout: 10_000,
  // If a node stops during a transaction, its locks are held for at most this time.
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Each statement is a few index lookups or one page of an index, however large the tables are. The planner may have
 * statistics from when a table was empty, and must not scan the table. Compiling (JIT) such a statement would take
 * longer than running it. The planner would compile statements on small tables without an index, because these settings
 * make a scan look expensive.
 */
const SEEKS = { enable_seqscan: 'off', jit: 'off' };

/** The engine's statements look up rows of several tables by key. These statements do not need to be planned again. */
const LOOK_UPS = { enable_hashjoin: 'off', enable_mergejoin: 'off', plan_cache_mode: 'force_generic_plan' };

/** Further settings of a session. */
export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> =>
  purpose === 'engine' ? { ...SEEKS, ...LOOK_UPS } : SEEKS;
