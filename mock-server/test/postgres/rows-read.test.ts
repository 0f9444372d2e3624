import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { upsertProfiles } from '../../src/storage/changes/profiles.ts';
import type { Queries, StatementsFor, Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { together } from '../../src/storage/together.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { addEndpoint, createWorld, emit, startEngine } from '../support/delivery/world.ts';

const DELIVERIES = 600;
const BATCHES = 20;
const PER_BATCH = 200;

/** Returns how many rows the connection has read, with or without an index, since its counts were last collected. */
async function rowsRead(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cast(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as bigint) as count from pg_stat_xact_user_tables`.execute(
    queries,
  );
  return rows[0]?.count ?? 0;
}

/** Wraps a storage and counts the rows that its transactions read. */
function countReads(storage: Storage): Storage & { reads: number } {
  const counting = {
    ...storage,
    reads: 0,
    write: <Result>(work: (queries: Queries) => Promise<Result>) =>
      storage.write(async (queries) => {
        const before = await rowsRead(queries);
        const result = await work(queries);
        counting.reads += (await rowsRead(queries)) - before;
        return result;
      }),
    // Only the transactions of `write` can report what they read.
    writeAtOnce: (statementsFor: StatementsFor) =>
      counting.write(async (queries) => {
        const results = await together(statementsFor('postgres').map((statement) => queries.executeQuery(statement)));
        return results.flatMap(({ rows }) => rows);
      }),
    async [Symbol.asyncDispose]() {},
  };
  return counting;
}

/** Delivers what is due, and returns how many rows that reads. */
async function readsOfDelivering(world: Awaited<ReturnType<typeof createWorld>>): Promise<number> {
  const storage = countReads(world.storage);
  await using engine = await startEngine({ ...world, storage });
  expect(await engine.runDue()).toBe(DELIVERIES);
  return storage.reads;
}

// Without vacuum, the pages of the deleted rows remain, and PostgreSQL assumes that they contain no rows.
test.each(['vacuum analyze', 'analyze'])(
  'deliveries read few rows even if PostgreSQL gathered its statistics while nothing was pending: %s',
  async (gather) => {
    await using database = await createTestDatabase({ reuse: false });
    await using storage = connectPostgres(database.url, 'engine');
    await using receiver = await startReceiver();
    const world = await createWorld(storage);
    await addEndpoint(world, receiver.url);

    await emit(world, DELIVERIES);
    await readsOfDelivering(world);
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(gather);
    await client.end();
    await emit(world, DELIVERIES);

    // Rows read for each delivery: its lane, its place, its row and its status.
    expect((await readsOfDelivering(world)) / DELIVERIES).toBeLessThan(5);
  },
);

test('an import reads few rows as the tables grow, even if its statements were planned while they were empty', async () => {
  await using database = await createTestDatabase({ reuse: false });
  await using storage = connectPostgres(database.url, 'engine');
  const { ids, workspaceId, clock } = await createWorld(storage);
  const counting = countReads(storage);
  const upsertAll = async (name: string) => {
    counting.reads = 0;
    for (let batch = 0; batch < BATCHES; batch++) {
      const inputs = Array.from({ length: PER_BATCH }, (_, n) => ({ externalId: `user-${batch}-${n}`, name }));
      await counting.write((queries) => upsertProfiles(queries, ids, { workspaceId, inputs, now: clock.now() }));
    }
    return counting.reads / (BATCHES * PER_BATCH);
  };

  // To look up a key, PostgreSQL may also read the next one.
  expect(await upsertAll('before')).toBeLessThan(2);
  // Rows read for each profile: its row, the row of its state, and the row that changes.
  expect(await upsertAll('after')).toBeLessThan(5);
});
