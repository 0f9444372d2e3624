import { StorageUnavailableError } from '../port.ts';

/** The codes of errors that the statement did not cause: SQLITE_BUSY, NOMEM, READONLY, IOERR, FULL and CANTOPEN. */
const UNAVAILABLE = new Set([5, 7, 8, 10, 13, 14]);

export const BEGIN = 'BEGIN IMMEDIATE';

/**
 * A failure, such as a full disk, has ended the transaction. The remaining statements of the transaction throw this
 * error. Otherwise, the remaining statements would take effect without the earlier statements.
 */
export class TransactionEndedError extends Error {
  override readonly name = 'TransactionEndedError';

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
