import type { DatabaseSync as Connection } from 'node:sqlite';
import type { createCheckpoints } from './checkpoints.ts';
import type { LogFile } from './log-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

/**
 * A commit is on disk only after {@link LogFile.flush}. A power failure before the flush can lose whole commits, but
 * does not damage the file (SQLite, "PRAGMA synchronous"). {@link createCheckpoints} replaces automatic checkpoints.
 */
export function connectWithoutFlush(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // The cache of 64 MiB is large enough for the pages that deliveries use again and again.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
    PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;`);
  return database;
}
