import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { insert } from '../support/storage/users.ts';

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
    const change = (statement: string) => other.write((queries) => sql.raw(statement).execute(queries));
    await using cleanup = new AsyncDisposableStack();
    // The next test uses the same database.
    cleanup.defer(async () => void (await change('drop table notes')));
    await change('create table notes (id integer)');
    let runs = 0;
    const addNote = (id: number) =>
      storage.write(async (queries) => {
        runs++;
        await sql`insert into notes (id) values (${id})`.execute(queries);
        return (await sql`select * from notes order by id`.execute(queries)).rows;
      });
    expect(await addNote(1)).toEqual([{ id: 1 }]);
    await change('alter table notes add column title text');
    expect(await addNote(2)).toEqual([
      { id: 1, title: null },
      { id: 2, title: null },
    ]);
    expect(runs).toBe(3);
  });
});
