import type { Changes } from '../runtime/changes.ts';
import type { Logger } from '../runtime/logger.ts';

/** The dependencies that {@link createDraining} takes. */
export interface DrainingOptions {
  changes: Pick<Changes, 'close'>;
  logger: Logger;
  engine: { close(): Promise<void> };
  evaluator: { close(): Promise<void> };
  /** Resolves once a newer version has migrated the shared database. */
  outdated: Promise<Error>;
}

/** Rejects new requests while work that has started continues: on request, or when a newer version takes over. */
export function createDraining({ changes, logger, engine, evaluator, outdated }: DrainingOptions) {
  let hasBegun = false;

  function begin(): void {
    hasBegun = true;
    changes.close();
    // Ignore errors here, because disposing waits for the same close and reports them.
    engine.close().catch(() => {});
    evaluator.close().catch(() => {});
  }

  return {
    begin,
    hasBegun: () => hasBegun,
    /** Resolves once draining has begun for a newer version. */
    outdated: outdated.then((reason) => {
      logger.error(`this server stops: ${reason.message}`);
      begin();
      return reason;
    }),
  };
}
