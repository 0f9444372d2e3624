import { Socket } from 'node:net';
import pg from 'pg';

/** The delivery engine has its own connections, so that it does not wait for the API's connections. */
export type Purpose = 'api' | 'engine';

/**
 * Each statement makes a few index lookups, or reads one page of a list from an index. Without these settings, the
 * planner might scan a large table that is empty according to old statistics, or read a whole index, with the rows of
 * all tenants, to find one page. Because of `enable_seqscan: 'off'`, even the scan of a small table looks expensive, so
 * with `jit`, PostgreSQL would compile the statement. Compiling the statement takes longer than running it.
 */
const SEEKS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/**
 * These settings override the defaults of the database role. With a stricter isolation level, reads could fail because
 * of concurrent writes. Without `array_nulls`, PostgreSQL would reject the results of attempts.
 */
const DEFAULTS = { default_transaction_isolation: 'read committed', array_nulls: 'on' };

/** The engine's statements look up rows by key only, so one plan is good for all values. */
const ONE_PLAN = { plan_cache_mode: 'force_generic_plan' };

const settingsFor = (purpose: Purpose): Readonly<Record<string, string>> => ({
  ...DEFAULTS,
  ...SEEKS,
  ...(purpose === 'engine' && ONE_PLAN),
});

/** How long a request waits for a connection. After this time, the server responds with status 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/** After this time without a response, the database counts as unreachable. Must be longer than `statement_timeout`. */
const SILENCE_TIMEOUT_MS = 15_000;

const APPLICATION_NAME = 'svc-mock';

/** A node has one `api` pool and two `engine` pools: `openShared` also opens an `engine` pool for evaluations. */
const POOL_SIZES = { api: 10, engine: 3 };

export function createPool(url: string, purpose: Purpose, sockets: Sockets, name?: string): pg.Pool {
  return guarded(
    new pg.Pool({
      ...connectionOptions(url, { name, settings: settingsFor(purpose) }),
      // A statement that runs this long is waiting for a lock or a disk.
      statement_timeout: 10_000,
      // If a node stops in the middle of a transaction, the database releases the transaction's locks after this time.
      idle_in_transaction_session_timeout: 15_000,
      stream: sockets.make,
      max: POOL_SIZES[purpose],
      query_timeout: SILENCE_TIMEOUT_MS,
      allowExitOnIdle: true,
    }),
  );
}

/** Creates a pool with one connection, for startup. Statements have no timeout: a migration may take a long time. */
export function createStartPool(url: string): pg.Pool {
  return guarded(new pg.Pool({ ...connectionOptions(url, { settings: settingsFor('api') }), max: 1 }));
}

interface ConnectionParameters {
  /** The connection's name in `pg_stat_activity`. */
  name?: string | undefined;
  /** Settings of the session, which override settings in the URL. */
  settings?: Readonly<Record<string, string | number>>;
}

/**
 * A parameter in the URL would override the driver's option with the same name. So the application name, by which nodes
 * find each other, and `options` are removed from the URL. The server's own settings come after the URL's value of
 * `options`, and override it.
 */
export function connectionOptions(url: string, { name, settings = {} }: ConnectionParameters = {}): pg.ClientConfig {
  const target = new URL(url);
  const given = target.searchParams.get('options');
  for (const parameter of ['application_name', 'fallback_application_name', 'options']) {
    target.searchParams.delete(parameter);
  }
  // In these options, a space within a value needs a backslash.
  const own = Object.entries(settings).map(
    ([setting, value]) => `-c ${setting}=${String(value).replaceAll(' ', '\\ ')}`,
  );
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
      // Columns with 8-byte integers contain instants and counts, which are far below 2^53.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Without listeners, the process would end if a connection broke while no statement was pending. */
function guarded(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}

/** How long closing a connection waits for running statements and for the database's response. */
const GOODBYE_MAX_MS = 1_000;

export async function endConnection(client: pg.Client): Promise<void> {
  const timeout = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MAX_MS);
  try {
    await client.end();
  } catch {
    // The connection was already broken.
  } finally {
    clearTimeout(timeout);
  }
}

export type Sockets = ReturnType<typeof createSockets>;

export function createSockets() {
  const open = new Set<Socket>();
  let isCut = false;
  return {
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // Destroy the socket only after the connection has added its listeners to the socket.
      if (isCut) setImmediate(() => socket.destroy());
      return socket;
    },
    /** Destroys all open sockets, and every socket that is created later. Pending calls fail immediately. */
    cut(): void {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
  };
}
