import { PATIENCE_MS } from '@svc/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertEndpoint } from '../../src/storage/changes/endpoints.ts';
import type { Storage } from '../../src/storage/port.ts';
import { addEndpoint, createWorld } from '../support/delivery/world.ts';

test('Two endpoints that are inserted at the same time cannot exceed the limit', async () => {
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, 'https://receiver.test/');
  const row = await storage.read((queries) =>
    queries.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow(),
  );
  const isInserted = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const first = storage.write(async (queries) => {
    const inserted = await insertEndpoint(queries, { ...row, id: 'whe_a' }, 2);
    isInserted.resolve();
    await mayCommit.promise;
    return inserted;
  });
  await isInserted.promise;
  let hasEnded = false;
  const second = storage
    .write((queries) => insertEndpoint(queries, { ...row, id: 'whe_b' }, 2))
    .finally(() => {
      hasEnded = true;
    });
  // Without the lock on the workspace, the second insert would end before the first one.
  await expect.poll(async () => hasEnded || (await waitsForLock(storage)), { timeout: PATIENCE_MS }).toBe(true);
  const endedFirst = hasEnded;
  mayCommit.resolve();
  expect(endedFirst).toBe(false);
  expect([await first, await second]).toEqual([true, false]);
});

async function waitsForLock(storage: Storage): Promise<boolean> {
  const { rows } = await storage.read((queries) =>
    sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      queries,
    ),
  );
  return rows.length > 0;
}
