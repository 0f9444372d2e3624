import { Kysely } from 'kysely';
import { migrateToLatest } from '../migrate.ts';
import type { Queries, Storage } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { connect } from './connection.ts';
import { createSqliteDialect } from './dialect.ts';
import { createLock, type Lock } from './lock.ts';
import { BEGIN, rethrow, TransactionEndedError } from './trouble.ts';
import { createTurns } from './turns.ts';

/** The embedded database. */
export interface SqliteStorage extends Storage {
  /** Had while something is written; by whoever writes to the file over another connection, too. */
  readonly writer: Lock;
}

/**
 * Opens the embedded database and brings its schema up to date.
 *
 * @param file - Path of the database file, or `:memory:`.
 */
export async function openSqlite(file: string): Promise<SqliteStorage> {
  const writer = createLock();
  const database = connect(file);
  let writes = false;
  const queries: Queries = new Kysely<Database>({
    // Where a transaction has ended, no statement runs behind the one that it ended with.
    dialect: createSqliteDialect(database, (_sql, latestFailure) => {
      if (writes && !database.isTransaction) throw new TransactionEndedError(latestFailure);
    }),
  });
  const turns = createTurns(
    {
      begin: () => {
        database.exec(BEGIN);
        writes = true;
      },
      commit: () => {
        database.exec('COMMIT');
        writes = false;
      },
      rollback: () => {
        writes = false;
        if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      },
      isOpen: () => database.isOpen && database.isTransaction,
      savepoint: () => database.exec('SAVEPOINT work'),
      releaseSavepoint: () => database.exec('RELEASE work'),
      rollbackToSavepoint: () => database.exec('ROLLBACK TO work; RELEASE work'),
    },
    writer,
  );
  await migrateToLatest(queries);

  return {
    writer,
    read: (work) => turns.take('read', () => work(queries)).catch(rethrow),
    write: (work) => turns.take('write', () => work(queries)).catch(rethrow),
    writeIf: (guard, work) =>
      turns
        .take('write', async () => {
          if ((await guard(queries)).length > 0) return false;
          await work(queries);
          return true;
        })
        .catch(rethrow),
    async [Symbol.asyncDispose]() {
      await turns.idle();
      await queries.destroy();
    },
  };
}
