import type { DatabaseSync as Connection } from 'node:sqlite';
import type { createCheckpoints } from './checkpoints.ts';
import type { LogFile } from './log-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

/** Opens the file. A commit is on disk when it returns, even if the power fails right after it. */
export function connect(file: string): Connection {
  const database = open(file);
  // A delivery changes the same few pages at each step. With only one checkpoint per 32 MiB of log, each page is copied
  // into the file once for many changes. Commits under load take half the time.
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;');
  return database;
}

/**
 * Opens the file for the thread that handles requests, which must not wait for the disk. A commit is on disk only after
 * {@link LogFile.flush}, and {@link createCheckpoints} makes the checkpoints. As SQLite documents it, a power failure
 * in between loses the whole commit and damages nothing.
 */
export function connectWithoutFlush(file: string): Connection {
  const database = open(file);
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;');
  return database;
}

function open(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // The cache has room for the pages that deliveries use again and again.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;',
  );
  return database;
}
