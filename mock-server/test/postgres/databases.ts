import { randomBytes } from 'node:crypto';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { createPostgresDialect } from '../../src/storage/postgres/dialect.ts';
import { createStartPool } from '../../src/storage/postgres/pool.ts';
import type { Database } from '../../src/storage/schema/database.ts';
import { wipe } from '../../src/storage/wipe.ts';

/** The PostgreSQL server that a test run uses. */
export interface TestPostgres {
  /** The URL of its maintenance database. */
  url: string;
  /** The prefix of the names of this run's databases. */
  prefix: string;
}

/** Creates a database, empty or as a copy of another, and returns its URL. */
export async function createDatabase({ url, prefix }: TestPostgres, template?: string): Promise<string> {
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  const copied = template === undefined ? '' : ` template ${nameOf(template)} strategy file_copy`;
  await run(url, `create database ${name}${copied}`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** Deletes every row. @returns whether nobody else is connected to the database, so that it stays empty. */
export async function emptyDatabase(url: string): Promise<boolean> {
  const queries = new Kysely<Database>({ dialect: createPostgresDialect(createStartPool(url)) });
  try {
    await wipe(queries);
    await queries.deleteFrom('settings').execute();
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(queries);
    return rows[0]?.others === 0;
  } finally {
    await queries.destroy();
  }
}

/** Drops the databases of a run, even if clients are still connected. */
export async function dropDatabases({ url, prefix }: TestPostgres): Promise<void> {
  for (const { datname } of await run(url, `select datname from pg_database where datname like '${prefix}%'`)) {
    await run(url, `drop database if exists ${datname} with (force)`);
  }
}

export const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function run(url: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
