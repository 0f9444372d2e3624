import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Queries } from './port.ts';

/** The database contains a migration of a newer version of the server. This version does not know the migration. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(migration: string, options?: ErrorOptions) {
    const own = Object.keys(migrations).at(-1);
    super(
      `a newer version of the server has migrated the database to ${migration}, but the latest migration that this version knows is ${own}; start the newer version`,
      options,
    );
  }
}

/**
 * Runs all new migrations in one transaction, under a lock.
 *
 * @throws {@link NewerDatabaseError} if a newer version of the server has migrated the database.
 */
export async function migrateToLatest(queries: Queries): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? [];
  if (unknown !== undefined) throw new NewerDatabaseError(unknown, { cause: error });
  if (error) throw error;
}
