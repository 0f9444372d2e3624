import { StorageUnavailableError } from '../port.ts';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EACCES',
  'EMFILE',
  'ENFILE',
]);

/**
 * If an error has one of these SQLSTATE classes or codes, the database cannot work now:
 * - 08: a broken connection
 * - 28: a rejected login
 * - 53: a lack of resources
 * - 57: an operator's intervention (shutdown, restart, timeout)
 * - 58: a system error
 * - 25006: a standby
 * - 25P03, 25P04: a session that ended because its transaction was idle or took too long
 * - 3D: a dropped database
 * - 55P03: a lock that was not released in time
 */
const UNAVAILABLE_STATES = /^(?:08|28|3D|53|57|58|25006|25P03|25P04|55P03)/;

/** Errors from `pg` that have no code, but mean that the database is unreachable. */
const UNAVAILABLE_MESSAGES =
  /^(?:timeout (?:exceeded when trying to connect|expired)|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/;

/** Whether a statement failed because the database cannot work now, and not because the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || UNAVAILABLE_STATES.test(code))) return true;
  return typeof message === 'string' && UNAVAILABLE_MESSAGES.test(message);
}

/**
 * SQLSTATE codes that are about the session, not the statement:
 * - 08: a broken connection
 * - 25006: a database that was a standby or read-only when the session began
 * - 26000: an unknown prepared statement
 * - 57P01 to 57P05: the end of the session or the server
 * - 25P03, 25P04: a session that ended because its transaction was idle or took too long
 */
const SPENT_STATES = /^(?:08|25006|25P03|25P04|26000|57P)/;

/**
 * Whether the pool must replace the connection. Such a connection may still receive a late response, or would fail
 * again.
 */
export function isSpent(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    message === 'Query read timeout' || isStalePlan(error) || (typeof code === 'string' && SPENT_STATES.test(code))
  );
}

/**
 * Whether a transaction conflicted with other transactions and can run again:
 * - 40P01: a deadlock
 * - 40001: a serialization failure
 * - an outdated prepared statement: it selects all columns of a table, and another node's migration has added a column
 */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40P01' || code === '40001' || isStalePlan(error);
}

/**
 * Whether a prepared statement failed because its tables have changed since it was prepared. Only a new connection
 * prepares the statement again. The error's message is not checked, because the message is in the database's language.
 */
function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Returns the reason for an error as text. For a rejected login, the text does not contain the user name. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: Error[] };
  if (code?.startsWith('28')) return 'it rejects the user or the password.';
  // If a host name has several addresses, the error contains a separate error for each address.
  return message || errors?.[0]?.message || String(code ?? error);
}

export function unavailable(cause: unknown, outcome: 'unchanged' | 'unknown'): StorageUnavailableError {
  return new StorageUnavailableError(`The database is unavailable: ${reasonOf(cause)}`, { cause, outcome });
}
