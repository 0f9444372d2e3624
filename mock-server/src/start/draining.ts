import type { ChangeStream } from '../runtime/change-stream.ts';
import type { Logger } from '../runtime/logger.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import type { Storage } from '../storage/port.ts';
import { findUnknownMigration } from '../storage/statements/start.ts';

/**
 * A draining server rejects new requests, but lets running work continue. Draining begins with a call of `begin`, or
 * when a newer version of the server has migrated the shared database.
 */
export function createDraining(
  storage: Pick<Storage, 'read'>,
  logger: Logger,
  changes: Pick<ChangeStream, 'close'>,
  work: readonly { close(): Promise<void> }[],
) {
  const outdated = Promise.withResolvers<Error>();
  let hasBegun = false;

  function begin(): void {
    hasBegun = true;
    changes.close();
    // Ignore errors here, because the server reports them later, when it disposes of this work.
    for (const part of work) part.close().catch(() => {});
  }

  return {
    begin,
    hasBegun: () => hasBegun,
    outdated: outdated.promise.then((reason) => {
      logger.error(`this server stops: ${reason.message}`);
      begin();
      return reason;
    }),
    async isOutdated(): Promise<boolean> {
      const migration = await storage.read(findUnknownMigration);
      if (migration !== undefined) outdated.resolve(new NewerDatabaseError(migration));
      return migration !== undefined;
    },
  };
}
