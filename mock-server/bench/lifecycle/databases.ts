import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '@svc/testing/postgres';
import pg from 'pg';
import { personOf } from './people.ts';

/** A database to measure. For comparison, its functions measure plain statements in the same database. */
export interface BenchDatabase extends AsyncDisposable {
  name: string;
  /** The options for a server that uses the database. */
  options: string[];
  /** Inserts the imported people as plain rows, many rows per statement or transaction. @returns rows per second. */
  insertPlainly(count: number): Promise<number>;
  /** Runs a plain `LIKE` over the profiles. @returns milliseconds. */
  like(word: string): Promise<number>;
  /**
   * Returns how much work the database has done so far. Returns `undefined` on SQLite, which does not count its work.
   */
  work(): Promise<DatabaseWork | undefined>;
}

/** How much work a database has done. */
export interface DatabaseWork {
  statements: number;
  /** Rows inserted, updated and deleted. */
  rows: number;
}

/**
 * PostgreSQL reports the work of a session when the session runs its next statement, and no later than one second after
 * the work.
 */
const TOLD_WITHIN_MS = 1_500;

const BATCH = 500;
const PLAIN = '(id text primary key, name text, email text, days text, attributes text)';
const plainRow = (n: number) => {
  const { externalId, name, email, activeDays, attributes } = personOf(n);
  return [externalId, name, email, activeDays.join(''), JSON.stringify(attributes)];
};

async function timed(work: () => Promise<void> | void): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function openSqliteBench(): BenchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lifecycle-'));
  return {
    name: 'SQLite',
    options: ['--data', folder],
    async insertPlainly(count) {
      const database = new DatabaseSync(join(folder, 'plain.sqlite'));
      database.exec(`pragma journal_mode = wal; pragma synchronous = full; create table plain ${PLAIN}`);
      const insert = database.prepare('insert into plain values (?, ?, ?, ?, ?)');
      const ms = await timed(() => {
        for (let from = 0; from < count; from += BATCH) {
          database.exec('begin');
          for (let n = from; n < Math.min(count, from + BATCH); n++) insert.run(...plainRow(n));
          database.exec('commit');
        }
      });
      database.close();
      return (count / ms) * 1000;
    },
    async like(word) {
      const database = new DatabaseSync(join(folder, 'svc-mock.sqlite'), { readOnly: true });
      const find = database.prepare(
        'select id from profiles where name like ? or email like ? order by id desc limit 21',
      );
      const ms = await timed(() => void find.all(`%${word}%`, `%${word}%`));
      database.close();
      return ms;
    },
    work: async () => undefined,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function openPostgresBench(): Promise<BenchDatabase> {
  const cluster = await startCluster({ shared_preload_libraries: 'pg_stat_statements' });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query('create extension pg_stat_statements');
  return {
    name: 'PostgreSQL',
    options: ['--database', cluster.url],
    async insertPlainly(count) {
      await client.query(`create table plain ${PLAIN}`);
      const ms = await timed(async () => {
        for (let from = 0; from < count; from += BATCH) {
          const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => plainRow(from + n));
          const columns = [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column]));
          await client.query(
            'insert into plain select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])',
            columns,
          );
        }
      });
      await client.query('drop table plain');
      return (count / ms) * 1000;
    },
    async like(word) {
      const text = 'select id from profiles where name ilike $1 or email ilike $1 order by id desc limit 21';
      return await timed(async () => void (await client.query(text, [`%${word}%`])));
    },
    async work() {
      await pause(TOLD_WITHIN_MS);
      const { rows } = await client.query<{ statements: string; rows: string }>(
        `select (select sum(calls) from pg_stat_statements) as statements,
          (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as rows`,
      );
      return { statements: Number(rows[0]?.statements), rows: Number(rows[0]?.rows) };
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
