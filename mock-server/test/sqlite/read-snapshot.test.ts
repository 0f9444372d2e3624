import { describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { insert, names } from '../support/storage/users.ts';

describe('A snapshot of an in-memory database', () => {
  test('shows one moment, and others can read and write while it is read', async () => {
    await using storage = await openSqlite(':memory:');
    await storage.write((queries) => insert(queries, 'before'));
    const seen = await storage.readSnapshot(async (queries) => {
      await storage.write((others) => insert(others, 'meanwhile'));
      expect(await names(storage)).toEqual(['before', 'meanwhile']);
      return await queries.selectFrom('users').select('id').execute();
    });
    expect(seen).toEqual([{ id: 'before' }]);
  });
});
