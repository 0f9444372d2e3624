import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isUniqueViolation, type Queries, StorageUnavailableError } from '../../src/storage/port.ts';
import { isUnavailable } from '../../src/storage/postgres/trouble.ts';
import { createTestDatabase } from '../support/database.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { insert } from '../support/storage/users.ts';

const user = (id: string, name = id) => ({ id, email: `${id}@x.test`, name, created_at: 0 });

describe('A transaction on PostgreSQL', () => {
  test('that throws stores nothing', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    await expect(
      storage.write(async (queries) => {
        await queries.insertInto('users').values(user('usr_1')).execute();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await storage.read((queries) => queries.selectFrom('users').selectAll().execute())).toEqual([]);
  });

  test('that deadlocks with another one runs again, and both succeed', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    await storage.write((queries) =>
      queries
        .insertInto('users')
        .values([user('usr_a'), user('usr_b')])
        .execute(),
    );
    let runs = 0;
    const both = Promise.withResolvers<void>();
    let holding = 0;
    const touch = (first: string, second: string) =>
      storage.write(async (queries) => {
        runs++;
        const add = (id: string) =>
          queries.updateTable('users').set({ name: sql`name || '+'` }).where('id', '=', id).execute();
        await add(first);
        if (++holding === 2) both.resolve();
        await both.promise;
        await add(second);
      });
    await Promise.all([touch('usr_a', 'usr_b'), touch('usr_b', 'usr_a')]);
    // One of them ran again. It may have locked its first row before the other did, and so deadlocked again.
    expect(runs).toBeGreaterThanOrEqual(3);
    const names = await storage.read((queries) => queries.selectFrom('users').select('name').orderBy('id').execute());
    expect(names.map(({ name }) => name)).toEqual(['usr_a++', 'usr_b++']);
  });

  test('fails as unavailable if the operator ends its connection, and the next one works', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const cut = storage.write((queries) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(queries));
    await expect(cut).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'unchanged' });
    await expect(cut).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(await storage.read((queries) => queries.selectFrom('users').selectAll().execute())).toEqual([]);
  });

  test.each(['25P03', '25P04'])(
    'whose session ends because it was idle or took too long (%s) fails as unavailable',
    async (code) => {
      await using database = await createTestDatabase();
      await using storage = await openPostgres(database.url);
      const pid = (queries: Queries) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries);
      const before = (await storage.write(pid)).rows;
      const cut = storage.write((queries) =>
        sql`do ${sql.lit(`begin raise exception 'ended' using errcode = '${code}'; end`)}`.execute(queries),
      );
      await expect(cut).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'unchanged' });
      // The next transaction has another session.
      expect((await storage.write(pid)).rows).not.toEqual(before);
    },
  );

  test('that loses every deadlock fails as unavailable', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const losing = storage.write((queries) =>
      sql`do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`.execute(queries),
    );
    await expect(losing).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'unchanged' });
  });

  test.each([
    ['ends', async () => {}],
    ['continues', (queries: Queries) => insert(queries, 'usr_2')],
  ])('that %s after a failed statement reports what failed', async (_how, goOn) => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const failing = storage.write(async (queries) => {
      await insert(queries, 'usr_1');
      await insert(queries, 'usr_1').catch(() => {});
      await goOn(queries);
    });
    await expect(failing).rejects.toSatisfy(isUniqueViolation);
  });

  test('returns 64-bit integers as numbers, and stores characters that text cannot hold as U+FFFD', async () => {
    await using database = await createTestDatabase();
    await using storage = await openPostgres(database.url);
    const written = { ...user('usr_1', 'a\0b'), created_at: 1_930_000_000_000 };
    await storage.write((queries) => queries.insertInto('users').values(written).execute());
    const rows = await storage.read((queries) => queries.selectFrom('users').selectAll().execute());
    expect(rows).toEqual([{ ...written, name: 'a\uFFFDb' }]);
  });
});

test('the database is unavailable while the process or the machine has no free file handle', () => {
  for (const code of ['EMFILE', 'ENFILE']) expect(isUnavailable(Object.assign(new Error(code), { code }))).toBe(true);
});
