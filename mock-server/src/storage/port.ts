import type { Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

/** What a statement runs on: a connection or a transaction. */
export type Queries = Kysely<Database>;

/**
 * What the rest of the server may ask of its database. Statements are functions of {@link Queries}, a file each, under `statements/`.
 *
 * The work that is handed in waits for nothing but its own statements: no HTTP exchange, no timer.
 */
export interface Storage extends AsyncDisposable {
  /** Runs statements that change nothing. They see everything that was written before. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements as one transaction and resolves when it is on disk. If the work throws, nothing of it is kept.
   *
   * @throws {@link StorageUnavailableError} where the database is away.
   */
  write<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements as one transaction in one exchange with the database, unless `guard`, statements that come first,
   * gives a row. The next such transaction need not wait for the answer to this one: they take place in the order
   * of asking.
   *
   * @param work - Gives all its statements without their results: each is told of no rows.
   * @returns false where the guard gave a row or another transaction came in between: nothing was written.
   * @throws {@link StorageUnavailableError} where the database is away.
   */
  writeIf(
    guard: (queries: Queries) => Promise<readonly unknown[]>,
    work: (queries: Queries) => Promise<unknown>,
  ): Promise<boolean>;
}

/** A database that can be read as of one moment. */
export interface SnapshotStorage extends Storage {
  /**
   * Runs statements that change nothing and all see the database as of one moment, for as long as they take. Others
   * read and write meanwhile.
   */
  readSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** The database cannot be reached or cannot write now: a full disk, a server that is away. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  /** Whether the write took place: no, or, where the connection broke during its commit, nobody knows. */
  readonly outcome: 'unchanged' | 'unknown';

  constructor(message: string, options: ErrorOptions & { outcome?: 'unchanged' | 'unknown' } = {}) {
    super(message, options);
    this.outcome = options.outcome ?? 'unchanged';
  }
}

/** The work needs a database session of its own, and this server has none. The message says what to do. */
export class SessionNeededError extends Error {
  override readonly name = 'SessionNeededError';
}

/**
 * Whether a statement failed because a unique value is taken: SQLite's SQLITE_CONSTRAINT_UNIQUE and
 * SQLITE_CONSTRAINT_PRIMARYKEY, PostgreSQL's 23505 for both.
 */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}
