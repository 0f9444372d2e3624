import { once } from 'node:events';
import { createServer, isIP, type Server as SocketServer } from 'node:net';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { connectionsMax, findOpenFilesMax, watchConnections } from '../http/connections.ts';
import { createNodeServer } from '../http/node-server.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { createThrottle } from '../runtime/throttle.ts';
import type { Address } from './addresses.ts';

export interface Listener extends Address {
  /** Lets the process exit while the socket is open. */
  unref(): void;
  /** Accepts connections for `lingerMs` more milliseconds. Then waits at most 10 s for the running requests to end. */
  close(lingerMs: number): Promise<void>;
}

const DRAIN_MS = 10_000;

export async function listen(
  config: ServerConfig,
  fetch: (request: Request) => Response | Promise<Response>,
  { requestIds, logger }: { requestIds: Pick<Ids, 'nextBare'>; logger: Logger },
): Promise<Listener> {
  const http = createNodeServer(fetch, requestIds);
  const { maxConnections = connectionsMax(config.concurrency, findOpenFilesMax()) } = config;
  const closeConnections = watchConnections(http, maxConnections, warnOfConnections(logger, maxConnections));
  await openSocket(http, config);
  const { port } = http.address() as { port: number };
  return {
    url: new URL(`http://${hostInUrl(config.host)}:${port}`).origin,
    port,
    unref() {
      http.unref();
      http.on('connection', (socket) => socket.unref());
    },
    close: (lingerMs) => closeConnections({ lingerMs, timeoutMs: DRAIN_MS }),
  };
}

/** Call this before startup creates any files. */
export async function checkPort(config: ServerConfig): Promise<void> {
  const probe = createServer();
  await openSocket(probe, config);
  probe.close();
  await once(probe, 'close');
}

async function openSocket(http: SocketServer, { host, port }: ServerConfig): Promise<void> {
  try {
    http.listen(port, host);
    await once(http, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use. Choose another port with --port, or pass --port 0 for any free port.`
        : `Cannot listen on ${host}:${port}: ${message}`,
      { cause },
    );
  }
}

/** If the server listens on all addresses, its URL contains the loopback address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}

const CONNECTIONS_WARNING_INTERVAL_MS = 60_000;

function warnOfConnections(logger: Logger, maxConnections: number): () => void {
  const isDue = createThrottle(CONNECTIONS_WARNING_INTERVAL_MS, 1);
  return () => {
    if (!isDue('connections')) return;
    logger.warn(
      { maxConnections },
      'too many client connections; each new connection replaces an idle or slow connection, or is closed if there is none to replace',
    );
  };
}
