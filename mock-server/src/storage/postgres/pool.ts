import pg from 'pg';
import { type Purpose, settingsFor, timeoutParameters } from './session-settings.ts';
import type { Sockets } from './sockets.ts';

/** How long to wait for a new or free connection. A request that would wait longer gets a response with status 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * After this time without a response, the database counts as unreachable. This time is longer than the statement
 * timeout in the database.
 */
const SILENCE_TIMEOUT_MS = 15_000;

/** The default name of connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'svc-mock';

/** How many connections each node opens, by purpose. */
const POOL_SIZES = { api: 10, engine: 3 };

/** Creates the connections for statements. */
export function createPool(url: string, purpose: Purpose, sockets: Sockets, name?: string): pg.Pool {
  return guarded(
    new pg.Pool({
      ...connectionOptions(url, { name, settings: settingsFor(purpose) }),
      ...timeoutParameters,
      stream: sockets.make,
      max: POOL_SIZES[purpose],
      query_timeout: SILENCE_TIMEOUT_MS,
      // The pool does not have to keep the process alive, because an open server does so through its socket.
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
export interface ConnectionParameters {
  /** The connection's name in `pg_stat_activity`. */
  name?: string | undefined;
  /** Settings of the connection's session, which override settings in the URL. */
  settings?: Readonly<Record<string, string | number>>;
}

/**
 * Options for the server's connections. The driver prefers parameters in a URL to options. So this function removes
 * from the URL the parameters that the server sets itself: the application name, by which nodes find each other, and
 * `options`, whose value it copies into the result.
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
    // Statements are sent without waiting for the response to the previous statement.
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
