import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

export type Queries = Kysely<Database>;

/** The server's database. A `work` function must wait only for its own statements, never for HTTP or a timer. */
export interface Storage extends AsyncDisposable {
  /** Runs statements that only read. The statements see all writes that resolved before the call. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs one transaction, and resolves when it is on disk. If `work` throws, rolls the transaction back.
   * @throws {@link StorageUnavailableError} if the database is unreachable.
   */
  write<Result>(work: (queries: Queries) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /**
   * Like `write`, but in one round trip. Returns the rows of all statements. On PostgreSQL, `statementsFor` is called
   * when a connection is free, and again if the transaction conflicts with another transaction.
   */
  writeAtOnce(statementsFor: StatementsFor): Promise<unknown[]>;
}

export type DatabaseKind = 'postgres' | 'sqlite';

/** Returns the statements of an operation: one statement for PostgreSQL, any number for SQLite. */
export type StatementsFor = (database: DatabaseKind) => readonly CompiledQuery[];

export interface WriteOptions {
  /**
   * Whether the write resolves only when its transaction is on disk. Default: true. If false, a power failure can lose
   * the transaction and all transactions after it, until a later write has waited for the disk. On PostgreSQL, this
   * option has no effect, because other nodes see the transaction.
   */
  waitsForDisk?: boolean | undefined;
  /**
   * Whether this is one of many writes that each change hundreds of rows, as in an import. Default: false. On SQLite,
   * only one bulk write at a time waits for the database, so that other writes can run between bulk writes.
   */
  isBulk?: boolean | undefined;
}

export interface SnapshotStorage extends Storage {
  /** Like `read`, but all statements see the database as of one moment. Other callers can still read and write. */
  readSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/**
 * What a failed operation has changed:
 * - `unchanged`: nothing
 * - `unknown`: the write may be stored, for example because the connection broke during the commit
 * - `moved`: a move of the clock failed, but some of its writes may be stored
 * - `imported`: an import failed, but its earlier batches are stored
 */
export type FailedOutcome = 'unchanged' | 'unknown' | 'moved' | 'imported';

/** The database is unreachable or cannot write now, for example because the disk is full. */
export class StorageUnavailableError extends Error {
  override readonly name: string = 'StorageUnavailableError';
  readonly outcome: FailedOutcome;

  constructor(message: string, options: ErrorOptions & { outcome?: FailedOutcome } = {}) {
    super(message, options);
    this.outcome = options.outcome ?? 'unchanged';
  }
}

/** A reset or a restore has replaced the data, so a request's times and ids may be old. Nothing was written. */
export class DataReplacedError extends StorageUnavailableError {
  constructor() {
    super('A reset or a restore has just replaced all data; send the request again.');
  }
}

/** On SQLite, the error is SQLITE_CONSTRAINT_UNIQUE or SQLITE_CONSTRAINT_PRIMARYKEY. */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}

/** Whether a statement failed because of its rows: a violated constraint, a wrong type or an unknown column. */
export function refusesRows(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // SQLite: SQLITE_ERROR, SQLITE_CONSTRAINT and SQLITE_MISMATCH, without the extended part of the code.
  if (typeof errcode === 'number') return [1, 19, 20].includes(errcode & 0xff);
  // PostgreSQL: data exceptions, violated constraints and unknown names.
  return /^(?:22|23|42)/.test(String(code));
}
