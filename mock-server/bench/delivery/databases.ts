import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { startCluster } from '../../test/postgres/cluster.ts';
import { createDatabase, dropDatabases, nameOf } from '../../test/postgres/databases.ts';

/** A PostgreSQL for benchmarks, its commits as durable as by default. */
export interface BenchPostgres extends AsyncDisposable {
  /** The URL of a new database. */
  create(): Promise<string>;
  /** A database with the server's schema, a new one unless told, opened as the engine opens it. */
  open(url?: string): Promise<Storage>;
  /** Removes a database, so that its vacuum does not run beside what is measured next. */
  drop(url: string): Promise<void>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cluster = await startCluster({ shared_buffers: '256MB', max_wal_size: '4GB' });
  const create = () => createDatabase({ url: cluster.url, prefix: 'bench' });
  return {
    create,
    open: async (url) => openPostgres(url ?? (await create()), 'engine'),
    drop: (url) => dropDatabases({ url: cluster.url, prefix: nameOf(url) }),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
