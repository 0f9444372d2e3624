import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '@svc/webhooks/diagnose';
import { ConfigError } from '../../config/config.ts';
import type { Queries } from '../../storage/port.ts';
import type { Database } from '../../storage/schema/database.ts';

/**
 * Checks the database and the master key of a data folder, as `start` does. Writes nothing, so a server may be running.
 */
export async function checkData(dataDir: string, configuredKey: string | undefined): Promise<Finding[]> {
  const file = join(dataDir, 'svc-mock.sqlite');
  if (!existsSync(file)) return [];
  const [{ Kysely, sql }, { DatabaseSync }, { createSqliteDialect }, { findUnknownMigration }] = await Promise.all([
    import('kysely'),
    import('../../storage/sqlite/node-sqlite.ts'),
    import('../../storage/sqlite/dialect.ts'),
    import('../../storage/statements/start.ts'),
  ]);
  const url = pathToFileURL(file);
  // Without a write-ahead log, no server has the database open. In that case, open the file as immutable: otherwise,
  // even a read makes SQLite create the log.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  try {
    const queries = new Kysely<Database>({ dialect: createSqliteDialect(new DatabaseSync(url, { readOnly: true })) });
    try {
      const tables = await sql`select name from sqlite_master where name in ('settings', 'kysely_migration')`.execute(
        queries,
      );
      if (tables.rows.length < 2) return [{ what: 'database', ok: true, detail: `${file} is empty` }];
      const newer = await findUnknownMigration(queries);
      if (newer !== undefined)
        return [wrong('database', `a newer version of the server applied the migration ${newer} to ${file}.`)];
      return [{ what: 'database', ok: true, detail: file }, await checkKey(queries, dataDir, configuredKey)];
    } finally {
      await queries.destroy();
    }
  } catch (error) {
    return [wrong('database', `cannot open ${file}: ${(error as Error).message}.`)];
  }
}

async function checkKey(queries: Queries, dataDir: string, configured: string | undefined): Promise<Finding> {
  const [{ checkMasterKey }, { masterKeyFileIn }] = await Promise.all([
    import('../../start/master-key-proof.ts'),
    import('../../config/data-folder.ts'),
  ]);
  try {
    await checkMasterKey(queries, { configured, file: masterKeyFileIn(dataDir) });
    return { what: 'master key', ok: true, detail: 'the key belongs to the database' };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return wrong('master key', error.message);
  }
}

const wrong = (what: string, detail: string): Finding => ({ what, ok: false, detail });
