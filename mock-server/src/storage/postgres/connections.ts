import { Socket } from 'node:net';
import pg from 'pg';

/** The purpose of a connection: the API, or the delivery engine, which must not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/** The timeouts of every session, in milliseconds, as startup parameters. */
export const timeoutParameters: pg.ClientConfig = {
  // The server's statements are fast. A slow statement is waiting for a lock or a disk, so it is canceled.
  statement_timeout: 10_000,
  // If a node stops during a transaction, the transaction's locks are held for at most this time.
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Each statement consists of a few index lookups, or reads one page of an index, however large the tables are. The
 * planner must not scan a table, even if its statistics are from a time when the table was empty. Compiling such a
 * statement (JIT) would take longer than running it. Without `jit: 'off'`, the planner would compile statements on
 * small tables without an index, because `enable_seqscan: 'off'` makes a scan look expensive.
 */
const SEEKS = { enable_seqscan: 'off', jit: 'off' };

/** The engine's statements look up rows of several tables by key, so their plans do not depend on the values. */
const LOOK_UPS = { enable_hashjoin: 'off', enable_mergejoin: 'off', plan_cache_mode: 'force_generic_plan' };

export const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> =>
  purpose === 'engine' ? { ...SEEKS, ...LOOK_UPS } : SEEKS;

/** How long to wait for a new or free connection. A request that would wait longer gets a response with status 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * After this time without a response, the database counts as unreachable. This time is longer than the statement
 * timeout in the database.
 */
const SILENCE_TIMEOUT_MS = 15_000;

/** The default name of connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'svc-mock';

const POOL_SIZES = { api: 10, engine: 3 };

export function createPool(url: string, purpose: Purpose, sockets: Sockets, name?: string): pg.Pool {
  return guarded(
    new pg.Pool({
      ...connectionOptions(url, { name, settings: settingsFor(purpose) }),
      ...timeoutParameters,
      stream: sockets.make,
      max: POOL_SIZES[purpose],
      query_timeout: SILENCE_TIMEOUT_MS,
      // The pool does not have to keep the process alive, because the socket of an open server keeps the process alive.
      allowExitOnIdle: true,
    }),
  );
}

/**
 * Creates the single connection for checks and migrations at startup. The connection has no timeout, because a
 * migration may take a long time.
 */
export function createStartPool(url: string): pg.Pool {
  return guarded(new pg.Pool({ ...connectionOptions(url), max: 1 }));
}

/** Options for a connection, in addition to the options that all connections share. */
interface ConnectionParameters {
  /** The connection's name in `pg_stat_activity`. */
  name?: string | undefined;
  /** Settings of the connection's session, which override settings in the URL. */
  settings?: Readonly<Record<string, string | number>>;
}

/**
 * Options for the server's connections. The driver prefers parameters in a URL to options. So this function removes two
 * parameters from the URL, because the server sets these parameters itself: the application name, by which nodes find
 * each other, and `options`. The value of `options` is copied into the result.
 */
export function connectionOptions(url: string, { name, settings = {} }: ConnectionParameters = {}): pg.ClientConfig {
  const target = new URL(url);
  const given = target.searchParams.get('options');
  for (const parameter of ['application_name', 'fallback_application_name', 'options']) {
    target.searchParams.delete(parameter);
  }
  const own = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  const options = [given, ...own].filter((option) => option !== null).join(' ');
  return {
    connectionString: target.href,
    application_name: name ?? APPLICATION_NAME,
    ...(options !== '' && { options }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Send each statement without waiting for the response to the previous statement.
    pipeline: true,
    keepAlive: true,
    types: {
      // Instants and counts are 64-bit integers in the database, but far below 2^53, so read them as JavaScript
      // numbers.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/**
 * If a connection breaks while no statement is pending, an error without a listener would end the process. The pool
 * itself drops the broken connection.
 */
function guarded(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}

/** How long a closing connection waits for running work and for the database's response. */
const GOODBYE_MAX_MS = 1_000;

/** Closes a connection within a second. If the database does not respond in time, the socket is destroyed. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timeout = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MAX_MS);
  try {
    await client.end();
  } catch {
    // The connection was already broken, so there is nothing to end.
  } finally {
    clearTimeout(timeout);
  }
}

/** The sockets of a node's database connections, which a single call can destroy. */
export type Sockets = ReturnType<typeof createSockets>;

export function createSockets() {
  const open = new Set<Socket>();
  let isCut = false;
  return {
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // Destroy the socket only after the connection has started to listen to it.
      if (isCut) setImmediate(() => socket.destroy());
      return socket;
    },
    /**
     * Destroys all sockets, and every socket that is created later. Everything that waits for a response fails
     * immediately.
     */
    cut(): void {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
  };
}
