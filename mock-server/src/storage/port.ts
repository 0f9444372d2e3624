import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

export type Queries = Kysely<Database>;

/**
 * The server's interface to its database. The folder `statements/` contains the server's statements, as functions that
 * take {@link Queries}.
 *
 * Callers pass a function `work`. This function must wait only for its own statements, never for HTTP or a timer.
 */
export interface Storage extends AsyncDisposable {
  /** Runs statements that only read. The statements see all writes that resolved before the call. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements as one transaction, and resolves when the transaction is on disk. If `work` throws, the transaction
   * is rolled back.
   *
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
   * the transaction and all later transactions. These transactions are safe after a later write has waited for the
   * disk. If only the process dies, nothing is lost. On PostgreSQL, this option has no effect, because other nodes see
   * the transaction.
   */
  waitsForDisk?: boolean | undefined;
  /**
   * Whether this is a bulk write: one of many writes that each change hundreds of rows, as in an import. On SQLite,
   * only one bulk write at a time waits for the database or runs. So other writes can run between two bulk writes.
   * PostgreSQL runs all writes in parallel. Default: false.
   */
  isBulk?: boolean | undefined;
}

export interface SnapshotStorage extends Storage {
  /** Like `read`, but all statements see the database as of one moment. Meanwhile, other callers can read and write. */
  readSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/**
 * What a failed operation has changed. `unchanged` means that nothing was written. `unknown` means that it is not known
 * whether the write was stored, for example because the connection broke during the commit. `moved` means that a move
 * of the clock failed, but some writes of the move may be stored. `imported` means that an import failed, but its
 * earlier batches are stored.
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

/**
 * A reset or a restore has replaced the data, but this node had not read the new clock yet. So the times and ids of a
 * request may be from the old clock. Nothing was written.
 */
export class DataReplacedError extends StorageUnavailableError {
  constructor() {
    super('A reset or a restore has just replaced all data; send the request again.');
  }
}

/**
 * Whether a statement failed because a value that must be unique is already in use: SQLITE_CONSTRAINT_UNIQUE or
 * SQLITE_CONSTRAINT_PRIMARYKEY on SQLite, 23505 on PostgreSQL.
 */
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
