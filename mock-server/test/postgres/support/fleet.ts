import type { ServerConfig } from '../../../src/index.ts';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase } from '../../support/database.ts';

/** Three servers on one database. */
export interface Fleet extends AsyncDisposable {
  nodes: [TestApi, TestApi, TestApi];
  databaseUrl: string;
}

/** Starts three servers on a new database. */
export async function startFleet(options: Partial<ServerConfig> = {}): Promise<Fleet> {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await createTestDatabase());
  const start = async () => cleanup.use(await startApi({ databaseUrl: url, masterKey: TEST_MASTER_KEY, ...options }));
  const nodes: Fleet['nodes'] = [await start(), await start(), await start()];
  const owned = cleanup.move();
  return { nodes, databaseUrl: url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
