import { describe, expect, test } from 'vitest';
import { insertRows } from '../../src/storage/many-rows.ts';
import { isUniqueViolation, type Queries, type Storage } from '../../src/storage/port.ts';
import { together } from '../../src/storage/together.ts';
import { onPostgres, openTestStorage } from '../database.ts';
import { openEngineThread } from './support/engine-thread.ts';
import { insert, names } from './support/users.ts';

async function openThread(): Promise<Storage> {
  const database = await openEngineThread();
  return { ...database.engine, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

const openers: [string, () => Promise<Storage>][] = [['the database', openTestStorage]];
if (!onPostgres) openers.push(["the engine's thread", openThread]);

/** One statement that inserts several users. */
const insertAll = (queries: Queries, ids: readonly string[]) =>
  insertRows(
    queries,
    'users',
    { id: 'text', email: 'text', name: 'text', created_at: 'bigint' },
    ids.map((id) => [id, `${id}@example.com`, id, 0]),
  );

describe.each(openers)('A write at once to %s', (_name, open) => {
  test('stores everything and returns the rows of its statement', async () => {
    await using storage = await open();
    await storage.writeAtOnce((queries) => insertAll(queries, ['a', 'b']));
    expect(await names(storage)).toEqual(['a', 'b']);
    const removed = await storage.writeAtOnce((queries) =>
      queries.deleteFrom('users').where('id', '=', 'a').returning('id').execute(),
    );
    expect(removed).toEqual([{ id: 'a' }]);
    expect(await names(storage)).toEqual(['b']);
  });

  test('changes nothing if it fails, and reports the failure', async () => {
    await using storage = await open();
    const failed = await storage
      .writeAtOnce((queries) => insertAll(queries, ['a', 'b', 'a', 'c']))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    expect(await names(storage)).toEqual([]);
    await storage.writeAtOnce((queries) => insertAll(queries, ['a']));
    expect(await names(storage)).toEqual(['a']);
  });

  test('takes place among other kinds of writes', async () => {
    await using storage = await open();
    await Promise.all([
      storage.write((queries) => insert(queries, 'a')),
      storage.writeAtOnce((queries) => insertAll(queries, ['b'])),
      storage.write((queries) => insert(queries, 'c')),
      storage.writeAtOnce((queries) => insertAll(queries, ['d'])),
    ]);
    expect(await names(storage)).toEqual(['a', 'b', 'c', 'd']);
  });

  test.runIf(onPostgres)('is refused if it is more than one statement on PostgreSQL', async () => {
    await using storage = await open();
    const two = storage.writeAtOnce((queries) => together([insert(queries, 'a'), insert(queries, 'b')]));
    await expect(two).rejects.toThrow('one statement');
    expect(await names(storage)).toEqual([]);
  });

  test.runIf(!onPostgres)(
    'may have several statements on SQLite, of which a failed one undoes the others',
    async () => {
      await using storage = await open();
      await storage.writeAtOnce((queries) => together([insert(queries, 'a'), insert(queries, 'b')]));
      const failed = storage.writeAtOnce((queries) => together([insert(queries, 'c'), insert(queries, 'a')]));
      await expect(failed).rejects.toSatisfy(isUniqueViolation);
      expect(await names(storage)).toEqual(['a', 'b']);
    },
  );
});
