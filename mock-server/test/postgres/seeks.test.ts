import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createTestDatabase } from '../database.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { addEndpoint, createWorld, emit, startEngine } from '../delivery/support/world.ts';

const DELIVERIES = 600;

/** Rows that the connection has read, found by an index or not, since its counts were last gathered. */
async function rowsRead(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cast(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as bigint) as count from pg_stat_xact_user_tables`.execute(
    queries,
  );
  return rows[0]?.count ?? 0;
}

/** Delivers what is due, and gives the rows that were read in it. */
async function readsOfDelivering(world: Awaited<ReturnType<typeof createWorld>>): Promise<number> {
  let reads = 0;
  const storage: Storage = {
    ...world.storage,
    write: (work) =>
      world.storage.write(async (queries) => {
        const before = await rowsRead(queries);
        const result = await work(queries);
        reads += (await rowsRead(queries)) - before;
        return result;
      }),
    // Everything is written by `write`, the transactions of which can be asked what they read.
    writeIf: async () => false,
    async [Symbol.asyncDispose]() {},
  };
  await using engine = await startEngine({ ...world, storage });
  expect(await engine.runDue()).toBe(DELIVERIES);
  return reads;
}

test('What PostgreSQL has counted while nothing was pending makes it read no more of what is pending later', async () => {
  await using database = await createTestDatabase({ reuse: false });
  await using storage = connectPostgres(database.url, 'engine');
  await using receiver = await startReceiver();
  const world = await createWorld(storage);
  await addEndpoint(world, receiver.url);

  await emit(world, DELIVERIES);
  await readsOfDelivering(world);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
  await emit(world, DELIVERIES);

  // Of its lane, its place, its row and its status.
  expect((await readsOfDelivering(world)) / DELIVERIES).toBeLessThan(5);
});
