import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { sqliteDedupe } from '../documented/dedupe-sqlite.ts';

// Runs as a separate process. It opens the database, claims each delivery, commits its claims and reports them.

/** The input of the process. */
export interface ClaimTask {
  file: string;
  ids: string[];
}

process.once('message', async ({ file, ids }: ClaimTask) => {
  const store = sqliteDedupe(new DatabaseSync(file));
  const claimed: string[] = [];
  for (const id of ids) {
    const claim = { token: randomUUID(), leaseSeconds: 240, lifetimeSeconds: 600 };
    if ((await store.claim(id, claim)) !== 'new') continue;
    claimed.push(id);
    await store.commit(id, claim);
  }
  process.send?.(claimed, () => process.disconnect());
});
process.send?.('ready');
