import pg from 'pg';
import { expect, test } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { demo } from '../support/demo.ts';

test('A tenant whose requests wait for the database leaves connections to other tenants', async () => {
  await using database = await createTestDatabase();
  await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
  const blocker = new pg.Client(database.url);
  const watcher = new pg.Client(database.url);
  await Promise.all([blocker.connect(), watcher.connect()]);
  await blocker.query('begin');
  await blocker.query('select id from workspaces where id = $1 for update', [demo.production.id]);
  const busy = Array.from({ length: 20 }, () =>
    api.call('PATCH', `/v1/workspaces/${demo.production.id}`, {
      credential: demo.production.key,
      body: { name: 'Busy' },
    }),
  );
  const blocked = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await watcher.query(blocked)).rowCount, { timeout: 20_000 }).toBeGreaterThan(3);
  const other = await api.call('GET', '/v1/webhooks/endpoints', { credential: demo.globex.key });
  await blocker.query('rollback');
  await Promise.all([blocker.end(), watcher.end()]);
  expect(other.status).toBe(200);
  expect((await Promise.all(busy)).map(({ status }) => status)).toEqual(busy.map(() => 200));
});
