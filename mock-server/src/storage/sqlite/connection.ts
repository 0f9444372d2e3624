import type { DatabaseSync as Connection } from 'node:sqlite';
import type { createCheckpoints } from './checkpoints.ts';
import type { LogFile } from './log-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

/** Opens the file. A commit is on disk when it returns, even if the power fails right after it. */
export function connect(file: string): Connection {
  const database = open(file);
  // A delivery touches the same few pages at each step. With a checkpoint only every 32 MiB of log, each is copied into
  // the file once for many changes: commits under load take half the time.
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;');
  return database;
}

/**
 * Opens the file for the thread that answers requests, which must not wait for the disk. A commit is on disk only after
 * {@link LogFile.flush}, and checkpoints are made by {@link createCheckpoints}. As SQLite documents it, a power failure
 * in between loses the commit as a whole and damages nothing.
 */
export function connectWithoutFlush(file: string): Connection {
  const database = open(file);
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;');
  return database;
}

function open(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // With room for the pages that deliveries touch again and again.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;',
  );
  return database;
}
