// #region store
import type { DatabaseSync } from 'node:sqlite';
import type { ClaimResult, DedupeStore } from '@svc/webhooks';

export function sqliteDedupe(database: DatabaseSync): DedupeStore {
  waitForOtherProcesses(database);
  database.exec(
    `CREATE TABLE IF NOT EXISTS webhook_deliveries
       (id TEXT PRIMARY KEY, token TEXT NOT NULL, done INTEGER NOT NULL, ends_at REAL NOT NULL) STRICT`,
  );
  // If two copies arrive together, this single statement gives the row to only one of them.
  const claim = database.prepare(
    `INSERT INTO webhook_deliveries (id, token, done, ends_at) VALUES (?1, ?2, 0, unixepoch('subsec') + ?3)
     ON CONFLICT (id) DO UPDATE SET token = ?2, done = 0, ends_at = unixepoch('subsec') + ?3
       WHERE ends_at <= unixepoch('subsec')`,
  );
  const state = database.prepare('SELECT done FROM webhook_deliveries WHERE id = ?');
  const commit = database.prepare(
    `UPDATE webhook_deliveries SET done = 1, ends_at = unixepoch('subsec') + ?3 WHERE id = ?1 AND token = ?2 AND done = 0`,
  );
  const release = database.prepare('DELETE FROM webhook_deliveries WHERE id = ?1 AND token = ?2 AND done = 0');
  return {
    claim(id, { token, leaseSeconds }): ClaimResult {
      // With `readBigInts`, the numbers are bigints.
      if (Number(claim.run(id, token, leaseSeconds).changes) === 1) return 'new';
      return Number(state.get(id)?.['done']) === 1 ? 'done' : 'busy';
    },
    commit: (id, { token, lifetimeSeconds }) => commit.run(id, token, lifetimeSeconds),
    release: (id, { token }) => release.run(id, token),
  };
}

/** Waits up to 5 seconds while another process writes, instead of failing with "database is locked". */
function waitForOtherProcesses(database: DatabaseSync) {
  database.exec('PRAGMA busy_timeout = 5000');
  const endsAt = Date.now() + 5000;
  for (;;) {
    try {
      return database.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      // This pragma ignores the busy timeout, so retry. The database keeps the mode, so later starts succeed at once.
      if (Date.now() > endsAt) throw error;
    }
  }
}

/** Deletes deliveries that expired over a day ago. A handler that outlives its lease can commit during that day. */
export function deleteExpired(database: DatabaseSync) {
  return database.prepare('DELETE FROM webhook_deliveries WHERE ends_at < unixepoch() - 86400').run();
}
// #endregion store
