import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

/** A connection or a transaction that runs statements. */
export type Queries = Kysely<Database>;

/**
 * The server's interface to its database. Statements are functions of {@link Queries}, by subject, under `statements/`.
 *
 * The work that callers pass in must wait only for its own statements, never for HTTP or a timer.
 */
export interface Storage extends AsyncDisposable {
  /** Runs statements that change nothing. Reads see all earlier writes. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements as one transaction. Resolves when it is on disk. If the work throws, nothing is kept.
   *
   * @throws {@link StorageUnavailableError} if the database is unreachable.
   */
  write<Result>(work: (queries: Queries) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /**
   * Runs statements as a transaction in one round trip.
   *
   * @param statementsFor - The statements for this database: one on PostgreSQL, any number on SQLite.
   * @returns the rows of all statements.
   * @throws {@link StorageUnavailableError} if the database is unreachable.
   */
  writeAtOnce(statementsFor: StatementsFor): Promise<unknown[]>;
}

export type DatabaseKind = 'postgres' | 'sqlite';

/** Returns the statements of an operation for one of the databases. */
export type StatementsFor = (database: DatabaseKind) => readonly CompiledQuery[];

/** Options for one write. */
export interface WriteOptions {
  /**
   * Whether it resolves only when the transaction is on disk. Default: true. If false, a power failure may lose the
   * transaction, and later ones with it. If a later one waited for the disk, this one is also on disk. If only the
   * process dies, nothing is lost. PostgreSQL always waits, because other nodes see the transaction.
   */
  waitsForDisk?: boolean | undefined;
}

/** A database that can be read as it was at one moment. */
export interface SnapshotStorage extends Storage {
  /**
   * Runs statements that change nothing and that all see the database at the same moment, however long they take.
   * Others can read and write in the meantime.
   */
  readSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** The database is unreachable or cannot write now, for example because the disk is full. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  /**
   * Whether the write took place. `unchanged` means no. `unknown` means that the connection broke during the commit.
   */
  readonly outcome: 'unchanged' | 'unknown';

  constructor(message: string, options: ErrorOptions & { outcome?: 'unchanged' | 'unknown' } = {}) {
    super(message, options);
    this.outcome = options.outcome ?? 'unchanged';
  }
}

/**
 * Whether a statement failed because a unique value is taken: SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY
 * in SQLite, 23505 for both in PostgreSQL.
 */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}
