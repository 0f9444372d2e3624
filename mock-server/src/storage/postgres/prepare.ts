import { Kysely, sql } from 'kysely';
import { migrateToLatest } from '../migrate.ts';
import { type Queries, StorageUnavailableError } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createPostgresDialect } from './dialect.ts';
import { findSessions } from './find-sessions.ts';
import { createStartPool } from './pool.ts';
import { type DatabaseServer, serverProblem } from './server-problem.ts';
import type { Sessions } from './session-settings.ts';
import { isUnavailable, reasonOf } from './trouble.ts';
import { databaseName, withoutCredentials } from './url.ts';

/** The database answers, but the server cannot use it. The message says why and contains no credentials. */
export class UnsuitableDatabaseError extends Error {
  override readonly name = 'UnsuitableDatabaseError';
}

/**
 * Checks that the server can use this database and runs new migrations, once, even if several nodes start together.
 * Returns whether connections to it have their own sessions.
 */
export async function prepareDatabase(url: string): Promise<Sessions> {
  const queries: Queries = new Kysely<Database>({ dialect: createPostgresDialect(createStartPool(url)) });
  try {
    await checkServer(queries, databaseName(url));
    await migrateToLatest(queries);
    return await findSessions(url);
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) throw error;
    const message = withoutCredentials(url, reasonOf(error));
    if (isUnavailable(error)) {
      throw new StorageUnavailableError(`Cannot use the database ${databaseName(url)}: ${message}`, {
        cause: error,
      });
    }
    throw new UnsuitableDatabaseError(`The database ${databaseName(url)} cannot be prepared: ${message}`, {
      cause: error,
    });
  } finally {
    await queries.destroy();
  }
}

async function checkServer(queries: Queries, name: string): Promise<void> {
  const { rows } = await sql<DatabaseServer>`
    select current_setting('server_version') as version,
      cast(current_setting('server_version_num') as integer) as "versionNumber",
      current_setting('server_encoding') as encoding`.execute(queries);
  const problem = rows[0] && serverProblem(rows[0]);
  if (problem) throw new UnsuitableDatabaseError(`The database ${name} ${problem}`);
}
