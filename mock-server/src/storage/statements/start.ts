import { sql } from 'kysely';
import { isPostgres, leaseClock } from '../dialect.ts';
import { migrations } from '../migrations/index.ts';
import type { Queries } from '../port.ts';

/** The key of the advisory lock: a random number that all nodes use. */
const START_LOCK = 7_316_402_855_190_217n;

/** Prevents other nodes from starting until the transaction ends, so that only one node seeds an empty database. */
export async function lockStart(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`select pg_advisory_xact_lock(${sql.lit(START_LOCK)})`.execute(queries);
}

/** Call this only at the start of a process that does not share its database. At that time, no lease is valid. */
export async function clearLeases(queries: Queries): Promise<void> {
  for (const table of ['lifecycles', 'notification_emails'] as const)
    await queries.updateTable(table).set({ lease_until: null }).where('lease_until', 'is not', null).execute();
}

/** Whether a database has the tables that every server creates. */
export async function hasSchema(queries: Queries): Promise<boolean> {
  const tables = isPostgres(queries)
    ? sql`select 1 from pg_class where oid in (to_regclass('settings'), to_regclass('kysely_migration'))`
    : sql`select 1 from sqlite_master where name in ('settings', 'kysely_migration')`;
  return (await tables.execute(queries)).rows.length === 2;
}

/** Finds the latest migration that the database records, but that this version of the server does not know. */
export async function findUnknownMigration(queries: Queries): Promise<string | undefined> {
  const known = sql.join(Object.keys(migrations));
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name not in (${known}) order by name desc limit 1`.execute(queries);
  return rows[0]?.name;
}

/** Reads PostgreSQL's clock, in milliseconds since the epoch. */
export async function readDatabaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${leaseClock(queries)} as now`.execute(queries);
  return rows[0]?.now ?? Number.NaN;
}
