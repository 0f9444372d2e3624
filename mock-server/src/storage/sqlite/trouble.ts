import { StorageUnavailableError } from '../port.ts';

/** SQLITE_BUSY, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the work was fine, the disk was not. */
const UNAVAILABLE = new Set([5, 7, 8, 10, 13, 14]);

/** How a transaction begins. */
export const BEGIN = 'BEGIN IMMEDIATE';

/**
 * Some failures, a full disk among them, end the transaction in which they happen. What was asked for behind them must
 * not take effect by itself.
 */
export class TransactionEndedError extends Error {
  override readonly name = 'TransactionEndedError';

  /** SQLite's, of that failure. */
  readonly errcode: number | undefined;

  constructor(cause: unknown) {
    const { message = 'none is known.', errcode } = (cause ?? {}) as { message?: string; errcode?: number };
    super(`The transaction ended with the failure of an earlier statement: ${message}`, { cause });
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
