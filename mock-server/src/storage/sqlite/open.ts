import { createPauses } from '../../runtime/pauses.ts';
import { migrateToLatest } from '../migrate.ts';
import type { Queries, SnapshotStorage, WriteOptions } from '../port.ts';
import { CHECKPOINT, type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { connectWithoutFlush } from './connection.ts';
import { handOn, queriesOver } from './dialect.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLock, endOf, type Lock } from './lock.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { readCopy, readSnapshot } from './read-snapshot.ts';
import { createStatements } from './statements.ts';
import { rethrow } from './trouble.ts';

export interface SqliteStorage extends SnapshotStorage {
  /** Throws if a flush has failed, so that nothing is written until the server restarts. */
  check(): void;
  /** See {@link LogFile.flush}. */
  flush(): Promise<void>;
  /** Held during each write, including writes over other connections to the file. */
  readonly writer: Lock;
  /** A bulk write holds this lock while it waits for `writer`, and while it runs. See {@link WriteOptions.isBulk}. */
  readonly bulk: Lock;
  readonly checkpoints: Checkpoints;
}

const IN_MEMORY = ':memory:';

export interface SqliteOptions {
  openLog?: typeof openLogFile;
  /** Called for the first failed flush, and for the first of several failed checkpoints in a row. */
  warn?: (message: string, error: unknown) => void;
}

/**
 * Opens the embedded database and brings its schema up to date. A file has separate connections for reads and for
 * writes, so that requests can read while a transaction is open. With a database in memory, only one read or one
 * transaction runs at a time.
 */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<SqliteStorage> {
  const { openLog = openLogFile, warn = () => {} } = options;
  const isInMemory = file === IN_MEMORY;
  const reading = connectWithoutFlush(file);
  const writing = isInMemory ? reading : connectWithoutFlush(file);
  const queries = queriesOver(reading);
  await migrateToLatest(queries);

  const writer = createLock();
  const bulk = createLock();
  const checkpoints = createCheckpoints(
    async () => reading.exec(CHECKPOINT),
    writer,
    (error) => warn('cannot checkpoint the database; the write-ahead log grows until a checkpoint succeeds', error),
  );
  const log = isInMemory
    ? undefined
    : openLog(file, (error) => warn('cannot store commits; the server cannot write until it is restarted', error));
  const pauses = createPauses();
  const run = createStatements(writing, { inTransaction: true });
  const writeQueries = handOn(async ({ sql, parameters }) => {
    await pauses.pauseIfLong();
    return run(sql, parameters);
  });
  const commits = createGroupCommit({
    connection: writing,
    writer,
    log,
    begun: pauses.passBegan,
    committed: () => log && checkpoints.committed(),
  });

  async function readAlone<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    using _held = await writer.acquire();
    return await work(queries);
  }
  async function write<Result>(
    work: (queries: Queries) => Promise<Result>,
    { waitsForDisk, isBulk = false }: WriteOptions = {},
  ): Promise<Result> {
    using _lock = isBulk ? await bulk.acquire() : undefined;
    return await commits.write(() => work(writeQueries), waitsForDisk).catch(rethrow);
  }

  return {
    writer,
    bulk,
    checkpoints,
    check: () => log?.check(),
    flush: async () => await log?.flush(),
    readSnapshot: (work) => (isInMemory ? readCopy(reading, writer, work) : readSnapshot(file, work)).catch(rethrow),
    read: (work) => (isInMemory ? readAlone(work) : work(queries)).catch(rethrow),
    write,
    async writeAtOnce(statementsFor) {
      return await write(async (queries) => {
        const rows: unknown[] = [];
        for (const statement of statementsFor('sqlite')) rows.push(...(await queries.executeQuery(statement)).rows);
        return rows;
      });
    },
    async [Symbol.asyncDispose]() {
      await endOf(bulk);
      await commits.idle();
      checkpoints[Symbol.dispose]();
      await log?.[Symbol.asyncDispose]();
      if (!isInMemory) writing.close();
      await queries.destroy();
    },
  };
}
