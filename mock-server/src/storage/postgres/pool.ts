import pg from 'pg';
import { type Purpose, settingsFor, timeoutParameters } from './session-settings.ts';
import type { Sockets } from './sockets.ts';

/** How long to wait for a new or free connection. A request that waits longer gets a 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the server's own timeout. After this time, the database counts as unreachable. */
const SILENCE_TIMEOUT_MS = 15_000;

/** The name of connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'svc-mock';

/** Connections of one node. */
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
      // The pool need not keep the process alive, because an open server does so through its socket.
      allowExitOnIdle: true,
    }),
  );
}

/**
 * Creates the one connection for checks and migrations at the start. The connection has no timeout, because a migration
 * may take a long time.
 */
export function createStartPool(url: string): pg.Pool {
  return guarded(new pg.Pool({ ...connectionOptions(url), max: 1 }));
}

/** Options for a connection, besides those that all connections share. */
export interface ConnectionParameters {
  /** Its name in `pg_stat_activity`. */
  name?: string | undefined;
  /** Settings of its session, which override those in the URL. */
  settings?: Readonly<Record<string, string | number>>;
}

/**
 * Options for the server's connections. The driver prefers the parameters of a URL, so this removes the two that the
 * server depends on: `application_name`, by which nodes find each other, and `options`, whose value is kept.
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
    // A statement is sent without waiting for the response to the previous one.
    pipeline: true,
    keepAlive: true,
    types: {
      // Instants and counts are 64-bit integers in the database and far below 2^53, so a number holds them.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/**
 * If a connection breaks, pending statements fail. Between statements, an error without a listener would end the
 * process. The pool drops the connection itself.
 */
function guarded(pool: pg.Pool): pg.Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}
