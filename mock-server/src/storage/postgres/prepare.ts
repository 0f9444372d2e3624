import { Kysely, PostgresDialect, sql } from 'kysely';
import { migrateToLatest } from '../migrate.ts';
import { type Queries, StorageUnavailableError } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createStartPool } from './connections.ts';
import { isUnavailable, reasonOf } from './trouble.ts';
import { databaseName, withoutCredentials } from './url.ts';

/** The database responds, but the server cannot use it. The message contains the reason and no credentials. */
export class UnsuitableDatabaseError extends Error {
  override readonly name = 'UnsuitableDatabaseError';
}

/** Checks the database, and runs new migrations. Throws the errors of {@link useDatabase}. */
export const prepareDatabase = (url: string): Promise<void> => useDatabase(url, migrateToLatest);

/**
 * Checks the database, and runs `work`. Errors never contain the user or the password.
 *
 * @throws {@link UnsuitableDatabaseError} if the server cannot use the database, or {@link StorageUnavailableError} if
 *   the database is unreachable.
 */
export async function useDatabase<Result>(url: string, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  await using queries = new Kysely<Database>({ dialect: new PostgresDialect({ pool: createStartPool(url) }) });
  const name = databaseName(url);
  try {
    const problem = await findProblem(queries);
    if (problem) throw new UnsuitableDatabaseError(`The database ${name} ${problem}`);
    return await work(queries);
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) throw error;
    const what = `the database ${name}: ${withoutCredentials(url, reasonOf(error))}`;
    if (isUnavailable(error)) throw new StorageUnavailableError(`Cannot use ${what}`, { cause: error });
    throw new UnsuitableDatabaseError(`Cannot prepare ${what}`, { cause: error });
  }
}

/** By default, a pooler rejects unknown startup parameters, but a pooler can be configured to ignore them. */
const isRefusedParameter = ({ code, message }: { code?: unknown; message?: unknown }) =>
  code === '08P01' && /startup parameter/.test(String(message));

async function findProblem(queries: Queries): Promise<string | undefined> {
  try {
    const { rows } = await sql<DatabaseServer>`
      select current_setting('server_version') as version,
        cast(current_setting('server_version_num') as integer) as "versionNumber",
        current_setting('server_encoding') as encoding,
        pg_is_in_recovery() as "isStandby",
        (select source = 'client' from pg_settings where name = 'enable_seqscan') as "keepsSettings"`.execute(queries);
    return rows[0] && serverProblem(rows[0]);
  } catch (error) {
    if (isRefusedParameter(error as Error)) return BEHIND_POOLER;
    throw error;
  }
}

export interface DatabaseServer {
  version: string;
  /** For example, 150004 for version 15.4. */
  versionNumber: number;
  encoding: string;
  isStandby: boolean;
  /** Whether the settings that this node requested when it opened the connection are in effect. */
  keepsSettings: boolean;
}

const OLDEST_VERSION = 15;

/**
 * A pooler such as PgBouncer can run each transaction in a different session. In that case, a connection loses its
 * startup parameters, prepared statements and locks.
 */
const BEHIND_POOLER =
  "is behind a connection pooler, such as PgBouncer, that does not keep a connection's settings and locks. Connect each node to PostgreSQL directly, and raise max_connections there if necessary.";

export function serverProblem(server: DatabaseServer): string | undefined {
  const { version, versionNumber, encoding, isStandby, keepsSettings } = server;
  if (versionNumber < OLDEST_VERSION * 10_000)
    return `is PostgreSQL ${version}; it must be ${OLDEST_VERSION} or later.`;
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; it must be UTF8.`;
  if (isStandby) return 'is on a standby server, which rejects writes. Connect to the primary server.';
  return keepsSettings ? undefined : BEHIND_POOLER;
}
