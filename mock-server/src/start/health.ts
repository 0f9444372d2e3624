import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';

/** The dependencies of the health checks. */
export interface HealthOptions {
  storage: Pick<Storage, 'read'>;
  /** @throws if the disk of the database has failed. */
  checkDisk: (() => void) | undefined;
  settings: { isStale(): boolean };
  engine: { isHealthy(): boolean };
}

/** The health checks of a server. */
export const createHealth = ({ storage, checkDisk, settings, engine }: HealthOptions) => ({
  /** @returns why the server is not ready. `undefined` if it is ready. */
  async ready(): Promise<string | undefined> {
    checkDisk?.();
    await storage.read((queries) => findSetting(queries, 'clock'));
    if (settings.isStale()) return 'The event catalog could not be read after the data was reset.';
    return engine.isHealthy() ? undefined : 'The delivery engine is not running.';
  },
});
