import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { startCluster } from '../../test/postgres/cluster.ts';
import { createDatabase } from '../../test/postgres/databases.ts';

/** A PostgreSQL for benchmarks, its commits as durable as by default. */
export interface BenchPostgres extends AsyncDisposable {
  /** The URL of a new database. */
  create(): Promise<string>;
  /** A new database with the server's schema, opened as the engine opens it. */
  open(): Promise<Storage>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cluster = await startCluster({ shared_buffers: '256MB', max_wal_size: '4GB' });
  const create = () => createDatabase({ url: cluster.url, prefix: 'bench' });
  return {
    create,
    open: async () => openPostgres(await create(), 'engine'),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
