import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';
import { isSentSlowly } from './arriving-bodies.ts';

/** How long a closing server responds with 503 to late requests, and keeps idle connections open. */
export const LINGER_MS = 500;

/** How many open files a process needs in addition to its connections. */
const OTHER_FILES = 256;

/** Returns the connection limit. The database and attempts can wait for files, and get at most 75 % of all files. */
export function connectionsMax(concurrency: number, openFilesMax: number | undefined): number {
  if (openFilesMax === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(Math.floor(openFilesMax / 4), openFilesMax - concurrency - OTHER_FILES);
}

export function findOpenFilesMax(): number | undefined {
  // Node's diagnostic report contains the limit on every POSIX system.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

const yielding = new WeakSet<Socket>();

/** At the connection limit, a new connection may replace this connection until this connection's response has ended. */
export const giveWay = (socket: Socket): void => void yielding.add(socket);

/** Undoes {@link giveWay}. Call this when the caller is known and the request no longer waits. */
export const holdPlace = (socket: Socket | undefined): void => void (socket && yielding.delete(socket));

/**
 * Limits the connections, so that enough files are left for the engine and the database. At the limit, a new connection
 * replaces the first of these that exists: the connection that has been idle longest, a connection that `giveWay`
 * marked, or a connection whose request arrives slowly. If no such connection exists, the new connection is closed.
 *
 * @param reached - Called for each connection that is closed because of the limit.
 * @returns A function that closes the server when all requests have ended, or after `timeoutMs`.
 */
export function watchConnections(http: HttpServer, max: number, reached: () => void) {
  /** The connections without a running request, longest idle first. */
  const idle = new Set<Socket>();
  /** The connections with running requests. If requests are pipelined, only the latest may still be arriving. */
  const busy = new Map<Socket, { running: number; latest: ServerResponse }>();
  let lingerMs: number | undefined;

  function forget(socket: Socket): void {
    idle.delete(socket);
    busy.delete(socket);
  }

  function nextToGo(): Socket | undefined {
    for (const socket of idle) return socket;
    for (const socket of busy.keys()) if (yielding.has(socket)) return socket;
    for (const [socket, { latest }] of busy) if (isSentSlowly(latest.req)) return socket;
    return undefined;
  }

  http.on('connection', (socket) => {
    if (idle.size + busy.size >= max) {
      const closed = nextToGo() ?? socket;
      forget(closed);
      closed.destroy();
      reached();
      if (closed === socket) return;
    }
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  http.prependListener('request', ({ socket }, response) => {
    const running = busy.get(socket)?.running ?? 0;
    if (!idle.delete(socket) && running === 0) return;
    busy.set(socket, { running: running + 1, latest: response });
    if (lingerMs !== undefined) response.shouldKeepAlive = false;
    response.once('close', () => {
      yielding.delete(socket);
      const requests = busy.get(socket);
      if (requests && --requests.running === 0) {
        busy.delete(socket);
        idle.add(socket);
      }
      if (lingerMs !== undefined) void endIdle(lingerMs);
    });
  });

  async function endIdle(afterMs: number): Promise<void> {
    // Connections that are opened during the wait must not be destroyed below.
    const known = [...idle];
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    // After two passes of the event loop, all data that had arrived has been read.
    await nextPass();
    await nextPass();
    http.closeIdleConnections();
    // Node treats a connection that has received no bytes as busy, so destroy such a connection here.
    for (const socket of known) if (socket.bytesRead === 0) socket.destroy();
  }

  return async (options: { lingerMs: number; timeoutMs: number }): Promise<void> => {
    lingerMs = options.lingerMs;
    const closed = once(http, 'close');
    const deadline = setTimeout(() => http.closeAllConnections(), options.timeoutMs);
    // End each connection after its last response: pipelined requests may still wait for their responses.
    for (const { latest } of busy.values()) latest.shouldKeepAlive = false;
    if (lingerMs > 0) {
      void endIdle(lingerMs);
      await sleep(lingerMs);
    }
    await nextPass();
    // `http.close()` would destroy idle connections, even if their next request has arrived and is still unread.
    NetServer.prototype.close.call(http);
    void endIdle(lingerMs);
    await closed;
    clearTimeout(deadline);
    http.close();
  };
}
