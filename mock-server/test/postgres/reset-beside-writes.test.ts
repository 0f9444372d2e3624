import { expect, test, vi } from 'vitest';
import { openPostgres } from '../support/open-postgres.ts';
import { startFleet } from './support/fleet.ts';
import { holdOpen } from './support/held-open.ts';
import { query } from './support/query.ts';

test('A reset waits for a transaction of another server before it deletes the first row', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  await using storage = await openPostgres(fleet.databaseUrl);
  // The lock that every write of deliveries takes.
  await using write = await holdOpen(storage, (queries) =>
    queries.selectFrom('webhook_endpoints').select('id').forKeyShare().execute(),
  );
  const reset = node.call('POST', '/_control/reset', { body: {} });
  await vi.waitFor(async () => {
    const [waiting] = await query(fleet, "select 1 from pg_locks where mode = 'ExclusiveLock' and not granted");
    expect(waiting).toBeDefined();
  });
  await write.commit();
  expect((await reset).status).toBe(200);
});
