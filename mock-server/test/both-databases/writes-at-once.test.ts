import { CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isUniqueViolation, type Storage } from '../../src/storage/port.ts';
import { onPostgres, openTestStorage } from '../support/database.ts';
import { openEngineThread } from '../support/storage/engine-thread.ts';
import { insert, insertion, names } from '../support/storage/users.ts';

async function openThread(): Promise<Storage> {
  const database = await openEngineThread();
  return { ...database.engine, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

const openers: [string, () => Promise<Storage>][] = [['the database', openTestStorage]];
if (!onPostgres) openers.push(["the engine's thread", openThread]);

describe.each(openers)('A write at once to %s', (_name, open) => {
  test('stores everything and returns the rows of its statement', async () => {
    await using storage = await open();
    await storage.writeAtOnce(() => [insertion('a', 'b')]);
    expect(await names(storage)).toEqual(['a', 'b']);
    const removed = await storage.writeAtOnce(() => [
      CompiledQuery.raw("delete from users where id = 'a' returning id"),
    ]);
    expect(removed).toEqual([{ id: 'a' }]);
    expect(await names(storage)).toEqual(['b']);
  });

  test('changes nothing if it fails, and reports the failure', async () => {
    await using storage = await open();
    const failed = await storage.writeAtOnce(() => [insertion('a', 'b', 'a', 'c')]).catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    expect(await names(storage)).toEqual([]);
    await storage.writeAtOnce(() => [insertion('a')]);
    expect(await names(storage)).toEqual(['a']);
  });

  test('takes place among other kinds of writes', async () => {
    await using storage = await open();
    await Promise.all([
      storage.write((queries) => insert(queries, 'a')),
      storage.writeAtOnce(() => [insertion('b')]),
      storage.write((queries) => insert(queries, 'c')),
      storage.writeAtOnce(() => [insertion('d')]),
    ]);
    expect(await names(storage)).toEqual(['a', 'b', 'c', 'd']);
  });

  test.runIf(onPostgres)('is refused if it is more than one statement on PostgreSQL', async () => {
    await using storage = await open();
    const two = storage.writeAtOnce(() => [insertion('a'), insertion('b')]);
    await expect(two).rejects.toThrow('one statement');
    expect(await names(storage)).toEqual([]);
  });

  test.runIf(!onPostgres)(
    'may have several statements on SQLite, of which a failed one undoes the others',
    async () => {
      await using storage = await open();
      await storage.writeAtOnce(() => [insertion('a'), insertion('b')]);
      const failed = storage.writeAtOnce(() => [insertion('c'), insertion('a')]);
      await expect(failed).rejects.toSatisfy(isUniqueViolation);
      expect(await names(storage)).toEqual(['a', 'b']);
    },
  );
});
