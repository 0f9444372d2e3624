import type { Changes } from '../runtime/changes.ts';
import type { Logger } from '../runtime/logger.ts';

/** The dependencies of {@link createDraining}. */
export interface DrainingOptions {
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
