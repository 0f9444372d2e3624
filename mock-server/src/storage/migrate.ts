import { Migrator } from 'kysely/migration';
import { latestMigration, migrations } from './migrations/index.ts';
import type { Queries } from './port.ts';
import { findUnknownMigration } from './statements/start.ts';

export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(migration: string, options?: ErrorOptions) {
    super(
      `a newer version of the server has migrated the database to ${migration}, but the latest migration that this version knows is ${latestMigration}; start the newer version`,
      options,
    );
  }
}

/** Runs all new migrations in one transaction, under a lock. */
export async function migrateToLatest(queries: Queries): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const unknown = await findUnknownMigration(queries).catch(() => undefined);
  throw unknown === undefined ? error : new NewerDatabaseError(unknown, { cause: error });
}
