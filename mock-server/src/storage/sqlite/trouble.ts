import { StorageUnavailableError } from '../port.ts';

/**
 * SQLITE_BUSY, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the statement is correct,
 * but the system failed.
 */
const UNAVAILABLE = new Set([5, 7, 8, 10, 13, 14]);

export const BEGIN = 'BEGIN IMMEDIATE';

/**
 * After a failure such as a full disk has ended a transaction, this error is thrown for each later statement of the
 * transaction. Without this error, the later statements would take effect without the earlier statements.
 */
export class TransactionEndedError extends Error {
  override readonly name = 'TransactionEndedError';

  /** SQLite's error code for the failure. */
  readonly errcode: number | undefined;

  constructor(cause: unknown) {
    const { message = 'the cause is unknown', errcode } = (cause ?? {}) as { message?: string; errcode?: number };
    super(`The transaction was rolled back because an earlier statement failed: ${message}`, { cause });
    this.errcode = errcode;
  }
}

export function rethrow(error: unknown): never {
  const code = (error as { errcode?: number }).errcode;
  if (code !== undefined && UNAVAILABLE.has(code & 0xff)) {
    throw new StorageUnavailableError(`The database is unavailable: ${(error as Error).message}`, { cause: error });
  }
  throw error;
}
