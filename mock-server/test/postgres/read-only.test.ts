import { nameOf } from '@svc/testing/postgres';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import type { Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { insert, insertion, names } from '../support/storage/users.ts';

/** Opens a storage whose connection was opened while the database was read-only. The database is writable again. */
async function startReadOnly(write: (storage: Storage, id: string) => Promise<unknown>) {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await createTestDatabase());
  const operator = new pg.Client({ connectionString: inject('postgres').url });
  await operator.connect();
  cleanup.defer(() => operator.end());
  const storage = cleanup.use(connectPostgres(url, 'engine'));
  await operator.query(`alter database ${nameOf(url)} set default_transaction_read_only = on`);
  await storage.read((queries) => queries.selectFrom('users').selectAll().execute());
  await operator.query(`alter database ${nameOf(url)} reset default_transaction_read_only`);
  await expect(write(storage, 'refused')).rejects.toMatchObject({ name: 'StorageUnavailableError' });
  const owned = cleanup.move();
  return { storage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe.each<[string, (storage: Storage, id: string) => Promise<unknown>]>([
  ['A write', (storage, id) => storage.write((queries) => insert(queries, id))],
  ['A write at once', (storage, id) => storage.writeAtOnce(() => [insertion(id)])],
])('%s over a connection that was opened while the database was read-only', (_name, write) => {
  test('fails as unavailable once, and the next one succeeds over a new connection', async () => {
    await using readOnly = await startReadOnly(write);
    await write(readOnly.storage, 'written');
    expect(await names(readOnly.storage)).toEqual(['written']);
  });
});
