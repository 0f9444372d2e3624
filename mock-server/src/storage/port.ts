import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

/** Runs statements on a connection or in a transaction. */
export type Queries = Kysely<Database>;

/**
 * The server's interface to its database. The folder `statements/` contains the server's statements, as functions that
 * take {@link Queries}.
 *
 * The function `work` that a caller passes to a storage must wait only for its own statements, never for HTTP or a
 * timer.
 */
export interface Storage extends AsyncDisposable {
  /** Runs statements that only read. The statements see all writes that resolved before the call. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements as one transaction. Resolves when the transaction is on disk. If `work` throws, the transaction is
   * rolled back.
   *
   * @throws {@link StorageUnavailableError} if the database is unreachable.
   */
  write<Result>(work: (queries: Queries) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /**
   * Runs statements as one transaction in one round trip.
   *
   * @param statementsFor - Returns the statements for a database: one statement for PostgreSQL, any number for SQLite.
   *   On PostgreSQL, the function is called when a connection is free, and again if the transaction conflicts with
   *   another transaction.
   * @returns the rows of all statements.
   * @throws {@link StorageUnavailableError} if the database is unreachable.
   */
  writeAtOnce(statementsFor: StatementsFor): Promise<unknown[]>;
}

export type DatabaseKind = 'postgres' | 'sqlite';

/** Returns the statements of an operation for one of the databases. */
export type StatementsFor = (database: DatabaseKind) => readonly CompiledQuery[];

export interface WriteOptions {
  /**
   * Whether the write resolves only when its transaction is on disk. Default: true. If false, a power failure may lose
   * the transaction, together with all later transactions. As soon as a later write that waits for the disk resolves,
   * this transaction is also on disk. If only the process dies, nothing is lost. PostgreSQL always waits for the disk,
   * because other nodes see the transaction.
   */
  waitsForDisk?: boolean | undefined;
}

/** A database whose reads can all see the data as of one moment. */
export interface SnapshotStorage extends Storage {
  /**
   * Runs statements that only read. All statements see the database as of one moment, even if the statements take long.
   * Other callers can read and write in the meantime.
   */
  readSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/**
 * What a failed operation has changed. `unchanged` means that nothing was written. `unknown` means that the write may
 * have taken place, because the connection broke during the commit. `partial` is for a move of the clock, which
 * consists of several writes: some of these writes may have taken place.
 */
export type FailedOutcome = 'unchanged' | 'unknown' | 'partial';

/** The database is unreachable or cannot write now, for example because the disk is full. */
export class StorageUnavailableError extends Error {
  override readonly name: string = 'StorageUnavailableError';
  readonly outcome: FailedOutcome;

  constructor(message: string, options: ErrorOptions & { outcome?: FailedOutcome } = {}) {
    super(message, options);
    this.outcome = options.outcome ?? 'unchanged';
  }
}

/**
 * The data was replaced by a reset or a restore after this node had last read the clock. So the times and ids of a
 * request may be from another clock. Nothing was written.
 */
export class DataReplacedError extends StorageUnavailableError {
  constructor() {
    super('A reset or a restore has just replaced all data; send the request again.');
  }
}

/**
 * Whether a statement failed because a value that must be unique is already in use: SQLite reports
 * SQLITE_CONSTRAINT_UNIQUE or SQLITE_CONSTRAINT_PRIMARYKEY, and PostgreSQL reports 23505 in both cases.
 */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}

/**
 * Whether a statement failed because of the values in its rows: a constraint, a wrong type or an unknown column. Other
 * errors, such as a lost connection, say nothing about the rows.
 */
export function refusesRows(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // SQLite: SQLITE_ERROR, SQLITE_CONSTRAINT and SQLITE_MISMATCH, without the extended part of the code.
  if (typeof errcode === 'number') return [1, 19, 20].includes(errcode & 0xff);
  // PostgreSQL: data exceptions, violated constraints and unknown names.
  return /^(?:22|23|42)/.test(String(code));
}
