import { expect, test } from 'vitest';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { saveSnapshot } from '../../src/transfer/snapshots.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { holdOpen, untilBlocked } from './support/held-open.ts';

test('of two snapshots with the same name at once, the later one stays, with what was stored until then', async () => {
  await using database = await createTestDatabase();
  await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
  await using storage = connectPostgres(database.url, 'engine');
  const addUser = (email: string) => api.call('POST', '/_control/users', { body: { email, name: 'Ada' } });

  await using first = await holdOpen(storage, (queries) => saveSnapshot(queries, 'mine', 0));
  const second = api.call('POST', '/_control/snapshots/mine');
  await untilBlocked(storage);
  expect((await addUser('ada@example.test')).status).toBe(201);
  await first.commit();
  expect((await second).status).toBe(200);

  // Earlier tests may have left snapshots in this database.
  const { snapshots } = (await api.call('GET', '/_control/snapshots')).body;
  expect(snapshots.filter(({ name }: { name: string }) => name === 'mine')).toHaveLength(1);
  expect((await api.call('POST', '/_control/snapshots/mine/restore')).status).toBe(200);
  expect((await addUser('ada@example.test')).status).toBe(409);
});
