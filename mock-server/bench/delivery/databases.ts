import { createDatabase, dropDatabases, nameOf, startCluster } from '@svc/testing/postgres';

/** A PostgreSQL server for benchmarks. The server writes each commit to disk, as PostgreSQL does by default. */
export interface BenchPostgres extends AsyncDisposable {
  /**
   * Calls `run` with the URL of a new database, and then removes the database, so that its vacuum does not slow down
   * the next run.
   */
  inNew<Result>(run: (url: string) => Promise<Result>): Promise<Result>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cluster = await startCluster({ shared_buffers: '256MB', max_wal_size: '4GB' });
  const create = () => createDatabase({ url: cluster.url, prefix: 'bench' });
  return {
    async inNew(run) {
      const url = await create();
      const result = await run(url);
      await dropDatabases({ url: cluster.url, prefix: nameOf(url) });
      return result;
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
