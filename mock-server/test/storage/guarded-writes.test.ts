import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isUniqueViolation, type Queries, type Storage } from '../../src/storage/port.ts';
import { together } from '../../src/storage/together.ts';
import { onPostgres, openTestStorage } from '../database.ts';
import { openEngineThread } from './support/engine-thread.ts';
import { insert, names } from './support/users.ts';

/** Returns a row if there is such a user. */
const exists = (id: string) => async (queries: Queries) =>
  (await sql`select 1 as found from users where id = ${id}`.execute(queries)).rows;

async function openThread(): Promise<Storage> {
  const database = await openEngineThread();
  return { ...database.engine, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

const openers: [string, () => Promise<Storage>][] = [['the database', openTestStorage]];
if (!onPostgres) openers.push(["the engine's thread", openThread]);

describe.each(openers)('A guarded write to %s', (_name, open) => {
  test('is done if the guard returns no row', async () => {
    await using storage = await open();
    expect(
      await storage.writeIf(exists('a'), (queries) => together([insert(queries, 'a'), insert(queries, 'b')])),
    ).toBe(true);
    expect(await names(storage)).toEqual(['a', 'b']);
  });

  test('is not done and changes nothing if the guard returns a row', async () => {
    await using storage = await open();
    await storage.write((queries) => insert(queries, 'a'));
    expect(await storage.writeIf(exists('a'), (queries) => insert(queries, 'b'))).toBe(false);
    expect(await names(storage)).toEqual(['a']);
    expect(await storage.writeIf(exists('b'), (queries) => insert(queries, 'b'))).toBe(true);
  });

  test('changes nothing if one of its statements fails, and reports the failure', async () => {
    await using storage = await open();
    const failed = await storage
      .writeIf(exists('x'), (queries) => together(['a', 'b', 'a', 'c'].map((id) => insert(queries, id))))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    expect(await names(storage)).toEqual([]);
    expect(await storage.writeIf(exists('a'), (queries) => insert(queries, 'a'))).toBe(true);
  });

  test('is done in the order of the calls, among other kinds of writes', async () => {
    await using storage = await open();
    const took = await Promise.all([
      storage.writeIf(exists('a'), (queries) => insert(queries, 'a')),
      storage.writeIf(exists('a'), (queries) => insert(queries, 'never')),
      storage.writeIf(exists('b'), (queries) => insert(queries, 'b')),
    ]);
    expect(took).toEqual([true, false, true]);
    const [, isRefused] = await Promise.all([
      storage.write((queries) => insert(queries, 'c')),
      storage.writeIf(exists('b'), (queries) => insert(queries, 'never')),
      storage.write((queries) => insert(queries, 'd')),
      storage.writeIf(exists('never'), (queries) => insert(queries, 'e')),
    ]);
    expect(isRefused).toBe(false);
    expect(await names(storage)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
