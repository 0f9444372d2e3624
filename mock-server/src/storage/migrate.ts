import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Queries } from './port.ts';

/** Runs the migrations that this database has not seen, under a lock, in one transaction where the database can. */
export async function migrateToLatest(queries: Queries): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
