// #region store
import type { DedupeStore } from '@svc/webhooks';
import type { Pool } from 'pg';

export const createTable = `
  CREATE TABLE IF NOT EXISTS webhook_deliveries
    (id text PRIMARY KEY, token text NOT NULL, done boolean NOT NULL, ends_at timestamptz NOT NULL)`;

export function postgresDedupe(pool: Pool): DedupeStore {
  return {
    async claim(id, { token, leaseSeconds }) {
      // If two copies arrive together, this single statement gives the row to only one of them.
      const claimed = await pool.query(
        `INSERT INTO webhook_deliveries (id, token, done, ends_at) VALUES ($1, $2, false, now() + make_interval(secs => $3))
         ON CONFLICT (id) DO UPDATE SET token = excluded.token, done = false, ends_at = excluded.ends_at
           WHERE webhook_deliveries.ends_at <= now()`,
        [id, token, leaseSeconds],
      );
      if (claimed.rowCount === 1) return 'new';
      const { rows } = await pool.query('SELECT done FROM webhook_deliveries WHERE id = $1', [id]);
      return rows[0]?.done ? 'done' : 'busy';
    },
    commit: (id, { token, lifetimeSeconds }) =>
      pool.query(
        `UPDATE webhook_deliveries SET done = true, ends_at = now() + make_interval(secs => $3)
         WHERE id = $1 AND token = $2 AND NOT done`,
        [id, token, lifetimeSeconds],
      ),
    release: (id, { token }) =>
      pool.query('DELETE FROM webhook_deliveries WHERE id = $1 AND token = $2 AND NOT done', [id, token]),
  };
}
// #endregion store
