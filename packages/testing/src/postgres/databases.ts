import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestPostgres {
  /** The URL of the maintenance database. */
  url: string;
  /** The names of the run's databases begin with this prefix. */
  prefix: string;
}

/** Creates an empty database or a copy of `template`, and returns its URL. */
export async function createDatabase({ url, prefix }: TestPostgres, template?: string): Promise<string> {
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  const copied = template === undefined ? '' : ` template ${nameOf(template)} strategy file_copy`;
  await run(url, `create database ${name}${copied}`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** Drops all databases of the run, even if clients are still connected. */
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
