import { NewerDatabaseError } from '../storage/migrate.ts';
import type { Storage } from '../storage/port.ts';
import { findUnknownMigration } from '../storage/statements/start.ts';

/** Detects that a newer version of the server has changed the schema of a shared database. */
export function watchSchema(storage: Pick<Storage, 'read'>) {
  const { promise: outdated, resolve } = Promise.withResolvers<NewerDatabaseError>();
  return {
    /** Resolves once a check has found that a newer version has changed the schema. */
    outdated,
    /** Checks the schema. @returns whether a newer version has changed the schema. */
    async isOutdated(): Promise<boolean> {
      const migration = await storage.read(findUnknownMigration);
      if (migration !== undefined) resolve(new NewerDatabaseError(migration));
      return migration !== undefined;
    },
  };
}
