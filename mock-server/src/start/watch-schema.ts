import { NewerDatabaseError } from '../storage/migrate.ts';
import type { Storage } from '../storage/port.ts';
import { findUnknownMigration } from '../storage/statements/start.ts';

/** Detects that a newer version of the server has changed the schema of a shared database. */
export function watchSchema(storage: Pick<Storage, 'read'>) {
  const { promise: outdated, resolve } = Promise.withResolvers<NewerDatabaseError>();
  return {
    outdated,
    async isOutdated(): Promise<boolean> {
      const migration = await storage.read(findUnknownMigration);
      if (migration !== undefined) resolve(new NewerDatabaseError(migration));
      return migration !== undefined;
    },
  };
}
