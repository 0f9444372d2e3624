import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { insert, names } from '../support/storage/users.ts';

const readUsers = (queries: Queries) => queries.selectFrom('users').selectAll().orderBy('id').execute();

/** The prepared statements of the connection that the storage uses next. */
const prepared = async (storage: Storage) => {
  const { rows } = await storage.read((queries) =>
    sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(queries),
  );
  return rows.map(({ statement }) => statement);
};

describe('The statements of the API', () => {
  test('are prepared in a write, and not in a read, whose filters make thousands', async () => {
    await using database = await createTestDatabase();
    await using storage = connectPostgres(database.url, 'api');
    await storage.read(readUsers);
    expect(await prepared(storage)).toEqual([]);
    await storage.write((queries) => insert(queries, 'usr_1'));
    expect(await prepared(storage)).toEqual([expect.stringMatching(/^insert into "users"/)]);
  });

  test('survive a migration of another node, also if they read whole rows', async () => {
    await using database = await createTestDatabase();
    await using storage = connectPostgres(database.url, 'api');
    await using other = connectPostgres(database.url, 'api');
    let runs = 0;
    const addUser = (id: string) =>
      storage.write(async (queries) => {
        runs++;
        await insert(queries, id);
        return (await readUsers(queries)).length;
      });
    expect(await addUser('usr_1')).toBe(1);
    await other.write((queries) => sql`alter table users add column nickname text`.execute(queries));
    expect(await addUser('usr_2')).toBe(2);
    expect(runs).toBe(3);
    expect(await names(storage)).toEqual(['usr_1', 'usr_2']);
  });
});
