import type { DatabaseSync as Connection } from 'node:sqlite';
import { DatabaseSync } from './node-sqlite.ts';

/** Opens the file; every connection to it has the same settings. */
export function connect(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // FULL: a commit is on disk when it returns, also if the power goes right behind it.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;',
  );
  // A delivery touches the same few pages at each step. With room for them in memory and a checkpoint only every
  // 32 MiB of log, each is copied into the file once for many changes: commits under load take half the time.
  database.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8000;');
  return database;
}
