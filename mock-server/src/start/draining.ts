import type { Changes } from '../runtime/changes.ts';
import type { Logger } from '../runtime/logger.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import type { Storage } from '../storage/port.ts';
import { findUnknownMigration } from '../storage/statements/start.ts';

/** Detects that a newer version of the server has changed the schema of a shared database. */
interface SchemaWatch {
  /** Checks the schema. @returns whether a newer version has changed it. */
  isOutdated(): Promise<boolean>;
  /** Resolves once a check has found such a change. */
  outdated: Promise<NewerDatabaseError>;
}

export function watchSchema(storage: Pick<Storage, 'read'>): SchemaWatch {
  const { promise: outdated, resolve } = Promise.withResolvers<NewerDatabaseError>();
  return {
    outdated,
    async isOutdated() {
      const migration = await storage.read(findUnknownMigration);
      if (migration !== undefined) resolve(new NewerDatabaseError(migration));
      return migration !== undefined;
    },
  };
}

/** The dependencies of {@link createDraining}. */
interface DrainingOptions {
  changes: Pick<Changes, 'close'>;
  logger: Logger;
  engine: { close(): Promise<void> };
  evaluator: { close(): Promise<void> };
  /** Resolves once a newer version has migrated the shared database. */
  outdated: Promise<Error>;
}

/**
 * Rejects new requests while work that has started continues. Draining begins when `begin` is called, or when a newer
 * version has migrated the database.
 */
export function createDraining({ changes, logger, engine, evaluator, outdated }: DrainingOptions) {
  let hasBegun = false;

  function begin(): void {
    hasBegun = true;
    changes.close();
    // Ignore errors here, because they are reported when the engine and the evaluator are disposed of.
    engine.close().catch(() => {});
    evaluator.close().catch(() => {});
  }

  return {
    begin,
    hasBegun: () => hasBegun,
    /** Resolves once draining has begun because of a newer version. */
    outdated: outdated.then((reason) => {
      logger.error(`this server stops: ${reason.message}`);
      begin();
      return reason;
    }),
  };
}
