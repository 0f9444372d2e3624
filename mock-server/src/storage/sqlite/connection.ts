import type { DatabaseSync as Connection } from 'node:sqlite';
import type { createCheckpoints } from './checkpoints.ts';
import type { LogFile } from './log-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

/**
 * Opens the file. A commit is on disk only after {@link LogFile.flush}. According to SQLite's documentation, a power
 * failure before the flush can lose whole commits, but does not damage the file. Automatic checkpoints are off, because
 * {@link createCheckpoints} runs the checkpoints.
 */
export function connectWithoutFlush(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // With 64 MiB, the cache has space for the pages that deliveries use again and again.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
    PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;`);
  return database;
}
