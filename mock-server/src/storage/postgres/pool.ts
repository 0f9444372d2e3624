import pg from 'pg';
import type { Sockets } from './sockets.ts';

/** How long a connection may take to be made or to come free; a request that waits longer is answered 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of the server takes long: one that does waits for a lock or a disk, and is given up. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own time-out: what it meets is a database that is no longer heard of. */
const SILENCE_TIMEOUT_MS = 15_000;
/** A transaction whose node stopped in its middle holds no lock for longer than this. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
/** What a node's connections are for: its API, or its delivery engine, which must not wait for those. */
export type Purpose = 'api' | 'engine';

/** Connections of one node. */
const POOL_SIZES = { api: 10, engine: 3 };
/**
 * Each of the engine's statements is a few seeks in indexes, whatever the tables hold. The planner, which may know a
 * table's statistics from when it was empty, must not read it whole instead; and need not think about it each time.
 */
const SEEKS =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan';

/** Makes the connections that statements run on. */
export function createPool(url: string, purpose: Purpose, sockets: Sockets): pg.Pool {
  return guarded(
    new pg.Pool({
      ...connectionOptions(url),
      stream: sockets.make,
      ...(purpose === 'engine' && { options: SEEKS }),
      max: POOL_SIZES[purpose],
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: SILENCE_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  );
}

/** Makes the one connection that a start checks and migrates over: a migration may take its time. */
export function createStartPool(url: string): pg.Pool {
  return guarded(new pg.Pool({ ...connectionOptions(url), max: 1 }));
}

/** What every connection of the server has in common. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'svc-mock',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A statement does not wait until the one before it is answered.
    pipeline: true,
    keepAlive: true,
    types: {
      // Instants and counts are 64-bit integers there and far below 2^53.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/**
 * Whoever waits for an answer is told when the connection breaks. Between statements nobody waits, and an error that
 * nobody listens to would end the process; the pool drops the connection by itself.
 */
function guarded(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}
