import type pg from 'pg';

/** The purpose of a connection: the API, or the delivery engine, which must not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/** The timeouts of every session, in milliseconds, as startup parameters. */
export const timeoutParameters: pg.ClientConfig = {
  // The server's statements are fast. A slow statement is waiting for a lock or a disk, so it is canceled.
  statement_timeout: 10_000,
  // If a node stops during a transaction, the transaction's locks are held for at most this time.
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Each statement consists of a few index lookups, or reads one page of an index, however large the tables are. The
 * planner must not scan a table, even if its statistics are from a time when the table was empty. Compiling such a
 * statement (JIT) would take longer than running it. Without `jit: 'off'`, the planner would compile statements on
 * small tables without an index, because `enable_seqscan: 'off'` makes a scan look expensive.
 */
const SEEKS = { enable_seqscan: 'off', jit: 'off' };

/** The engine's statements look up rows of several tables by key, so their plans do not depend on the values. */
const LOOK_UPS = { enable_hashjoin: 'off', enable_mergejoin: 'off', plan_cache_mode: 'force_generic_plan' };

/** The planner settings of a session. */
export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> =>
  purpose === 'engine' ? { ...SEEKS, ...LOOK_UPS } : SEEKS;
