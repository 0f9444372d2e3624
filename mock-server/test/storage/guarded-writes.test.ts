import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { isUniqueViolation, type Queries, type Storage } from '../../src/storage/port.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { together } from '../../src/storage/together.ts';
import { onPostgres, openTestStorage } from '../database.ts';

const user = (id: string) => ({ id, email: `${id}@x.test`, name: id, created_at: 0 });
const insert = (queries: Queries, id: string) => queries.insertInto('users').values(user(id)).execute();
const names = (storage: Storage) =>
  storage.read(async (queries) =>
    (await queries.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id),
  );
/** Gives a row where there is such a user. */
const exists = (id: string) => async (queries: Queries) =>
  (await sql`select 1 as found from users where id = ${id}`.execute(queries)).rows;

/** A file whose engine has a thread of its own, which is up. */
async function openThread(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-guarded-'));
  const file = join(folder, 'data.sqlite');
  const storage = await openSqlite(file);
  const engine = openEngineStorage(file, storage, () => {});
  const isThread = (queries: Queries) => sql`select 1 from temp.sqlite_master where name = 'mark'`.execute(queries);
  await storage.write((queries) => sql`create temp table mark (x)`.execute(queries));
  await vi.waitFor(async () => expect((await engine.read(isThread)).rows).toEqual([]), { timeout: 10_000 });
  return {
    ...engine,
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const openers: [string, () => Promise<Storage>][] = [['the database', openTestStorage]];
if (!onPostgres) openers.push(["the engine's thread", openThread]);

describe.each(openers)('A guarded write to %s', (_name, open) => {
  test('takes place where the guard gives no row', async () => {
    await using storage = await open();
    expect(
      await storage.writeIf(exists('a'), (queries) => together([insert(queries, 'a'), insert(queries, 'b')])),
    ).toBe(true);
    expect(await names(storage)).toEqual(['a', 'b']);
  });

  test('does not where it gives one, and nothing of it is kept', async () => {
    await using storage = await open();
    await storage.write((queries) => insert(queries, 'a'));
    expect(await storage.writeIf(exists('a'), (queries) => insert(queries, 'b'))).toBe(false);
    expect(await names(storage)).toEqual(['a']);
    expect(await storage.writeIf(exists('b'), (queries) => insert(queries, 'b'))).toBe(true);
  });

  test('keeps nothing where one of its statements fails, and tells what failed', async () => {
    await using storage = await open();
    const failed = await storage
      .writeIf(exists('x'), (queries) => together(['a', 'b', 'a', 'c'].map((id) => insert(queries, id))))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    expect(await names(storage)).toEqual([]);
    expect(await storage.writeIf(exists('a'), (queries) => insert(queries, 'a'))).toBe(true);
  });

  test('takes place in the order of asking, among writes of other kinds', async () => {
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
