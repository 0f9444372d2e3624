import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { startFleet } from './support/fleet.ts';
import { query } from './support/query.ts';

test('A reset waits for a transaction of another server before it deletes the first row', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  await using writer = await connectTo(fleet.databaseUrl);
  await writer.client.query('begin');
  // The lock that every write of deliveries takes.
  await writer.client.query('select id from webhook_endpoints for key share');
  const reset = node.call('POST', '/_control/reset', { body: {} });
  await vi.waitFor(async () => {
    const [waiting] = await query(fleet, "select 1 from pg_locks where mode = 'ExclusiveLock' and not granted");
    expect(waiting).toBeDefined();
  });
  await writer.client.query('commit');
  expect((await reset).status).toBe(200);
});

async function connectTo(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
