import { StorageUnavailableError } from '../port.ts';

/** Codes of system errors, such as `ECONNREFUSED` or `EMFILE`, but not Node's own codes, such as `ERR_INVALID_URL`. */
const SYSTEM_CODES = /^E(?!RR_)/;

/**
 * SQLSTATEs of a database that cannot work now: a broken connection (08), a rejected login (28), a dropped database
 * (3D), a lack of resources (53), a shutdown, restart or timeout (57), a system error (58), a standby (25006), a
 * transaction that was idle or took too long (25P03, 25P04), or a lock that was not released in time (55P03).
 */
const UNAVAILABLE_STATES = /^(?:08|28|3D|53|57|58|25006|25P03|25P04|55P03)/;

/** Errors from `pg` that have no code, but mean that the database is unreachable. */
const UNAVAILABLE_MESSAGES =
  /^(?:timeout (?:exceeded when trying to connect|expired)|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/;

/** Whether a statement failed because the database cannot work now, and not because the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (SYSTEM_CODES.test(code) || UNAVAILABLE_STATES.test(code))) return true;
  return typeof message === 'string' && UNAVAILABLE_MESSAGES.test(message);
}

/**
 * Errors of the session, not the statement: a broken connection (08), a session on a standby (25006), a transaction
 * that was idle or took too long (25P03, 25P04), an unknown prepared statement (26000), or the end of the session
 * (57P).
 */
const SPENT_STATES = /^(?:08|25006|25P03|25P04|26000|57P)/;

/** Whether the pool must replace the connection, because the connection could receive a late response or fail again. */
export function isSpent(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    message === 'Query read timeout' || isStalePlan(error) || (typeof code === 'string' && SPENT_STATES.test(code))
  );
}

/** Whether a transaction can run again after a deadlock (40P01), a serialization failure (40001) or a stale plan. */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001' || isStalePlan(error);
}

/**
 * Whether another node's migration has added a column since the statement was prepared. The statement is prepared again
 * only on a new connection. The error's message is not checked, because the message is in the database's language.
 */
function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Returns the reason for an error. If the database rejected the login, the reason does not contain the user name. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: Error[] };
  if (code?.startsWith('28')) return 'it rejects the user or the password.';
  // If a host name has several addresses, the error contains a separate error for each address.
  return message || errors?.[0]?.message || String(code ?? error);
}

export function unavailable(cause: unknown, outcome: 'unchanged' | 'unknown'): StorageUnavailableError {
  return new StorageUnavailableError(`The database is unavailable: ${reasonOf(cause)}`, { cause, outcome });
}
