import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { migrateToLatest } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { Queries } from '../../src/storage/port.ts';
import { createStartPool } from '../../src/storage/postgres/connections.ts';
import type { Database } from '../../src/storage/schema/database.ts';
import { queriesOver } from '../../src/storage/sqlite/dialect.ts';
import { createTestDatabase, onPostgres } from '../support/database.ts';

/** A database without a schema. */
async function openBare(): Promise<Queries & AsyncDisposable> {
  if (!onPostgres) return queriesOver(new DatabaseSync(':memory:'));
  const { url } = await createTestDatabase();
  const queries = new Kysely<Database>({ dialect: new PostgresDialect({ pool: createStartPool(url) }) });
  await sql`drop schema public cascade`.execute(queries);
  await sql`create schema public`.execute(queries);
  return queries;
}

describe('Migrations', () => {
  it('do not run if a newer version of the server has already run more', async () => {
    await using db = await openBare();
    await migrateToLatest(db);
    const newer = { name: '9999-newer', timestamp: '2031-03-01' };
    await sql`insert into kysely_migration (name, timestamp) values (${newer.name}, ${newer.timestamp})`.execute(db);

    await expect(migrateToLatest(db)).rejects.toThrow(
      `a newer version of the server has migrated the database to 9999-newer, but the latest migration that this version knows is ${Object.keys(migrations).at(-1)}; start the newer version`,
    );
    await sql`delete from kysely_migration where name = ${newer.name}`.execute(db);
    await migrateToLatest(db);
  });

  it('run all or none: one that fails leaves the database unchanged', async () => {
    await using db = await openBare();
    const failing = { up: () => Promise.reject(new Error('a process that is killed stops here')) };
    const getMigrations = async () => ({ ...migrations, '9999-failing': failing });
    const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
    expect(error).toEqual(new Error('a process that is killed stops here'));

    await migrateToLatest(db);

    expect(await db.selectFrom('deliveries').selectAll().execute()).toEqual([]);
  });

  it('run once each: a second start changes nothing, and later ones run after those that have run', async () => {
    await using db = await openBare();
    await migrateToLatest(db);
    await db.insertInto('settings').values({ name: 'kept', value: '1' }).execute();
    const later = { up: (queries: Queries) => sql`alter table settings add column later integer`.execute(queries) };
    const getMigrations = async () => ({ ...migrations, '9999-later': later }) as unknown as typeof migrations;
    const { results } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
    expect(results?.map(({ migrationName }) => migrationName)).toEqual(['9999-later']);
    const { rows } = await sql`select * from settings`.execute(db);
    expect(rows).toEqual([{ name: 'kept', value: '1', later: null }]);
  });
});
