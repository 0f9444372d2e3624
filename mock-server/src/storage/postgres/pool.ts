import pg from 'pg';
import { type Purpose, type Sessions, settingsFor, timeoutParameters } from './session-settings.ts';
import type { Sockets } from './sockets.ts';

/** How long a connection may take to be made or to come free; a request that waits longer is answered 503. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the server's own time-out: if it passes, the database is no longer heard of. */
const SILENCE_TIMEOUT_MS = 15_000;

/** What connections call themselves in `pg_stat_activity`. */
const APPLICATION_NAME = 'svc-mock';

/** Connections of one node. */
const POOL_SIZES = { api: 10, engine: 3 };

/** Makes the connections that statements run on. */
export function createPool(
  url: string,
  purpose: Purpose,
  sockets: Sockets,
  sessions: Sessions = 'own',
  name?: string,
): pg.Pool {
  return guarded(
    new pg.Pool({
      ...connectionOptions(url, { name, settings: sessions === 'own' ? settingsFor(purpose) : {} }),
      ...(sessions === 'own' && timeoutParameters),
      stream: sockets.make,
      max: POOL_SIZES[purpose],
      query_timeout: SILENCE_TIMEOUT_MS,
      // An open server keeps its process by its socket.
      allowExitOnIdle: true,
    }),
  );
}

/** Makes the one connection that a start checks and migrates over: a migration may take its time. */
export function createStartPool(url: string): pg.Pool {
  return guarded(new pg.Pool({ ...connectionOptions(url), max: 1 }));
}

/** What a connection is made with, besides what all have in common. */
export interface ConnectionParameters {
  /** What it calls itself in `pg_stat_activity`. */
  name?: string | undefined;
  /** Settings of its session. They come after those in the URL. */
  settings?: Readonly<Record<string, string | number>>;
}

/**
 * What connections of the server are made with. The driver prefers the parameters of a URL, so the two that the server
 * depends on are taken out of it: `application_name`, by which nodes find each other, and `options`, which are kept.
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
