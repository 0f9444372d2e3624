import { readFileSync } from 'node:fs';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isSentSlowly } from './arriving-bodies.ts';

/** How many open files a process may need in addition to its connections to clients and receivers. */
const OTHER_FILES = 256;

/**
 * Returns the default limit for client connections: `openFilesMax` minus the files for attempts and the database, but
 * at least a quarter of `openFilesMax`. With this minimum, too few files may remain for attempts, but attempts can
 * wait. Returns infinity if the number of open files has no limit.
 */
export function connectionsMax(concurrency: number, openFilesMax: number | undefined): number {
  if (openFilesMax === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(Math.floor(openFilesMax / 4), openFilesMax - concurrency - OTHER_FILES);
}

/** Returns how many files the process may open, or `undefined` if there is no limit. */
export function findOpenFilesMax(): number | undefined {
  if (process.platform === 'linux') {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  }
  // Node's diagnostic report contains the limit on every POSIX system, but takes some time to create.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

/** The connections of unknown callers, of waiting requests, and of requests that only get an error. */
const yielding = new WeakSet<Socket>();

/** Until the response on this connection ends, a new connection may replace it at the connection limit. */
export const giveWay = (socket: Socket): void => void yielding.add(socket);

/** Undoes {@link giveWay}. Call this when the caller is known and the request no longer waits for its turn. */
export const holdPlace = (socket: Socket | undefined): void => void (socket && yielding.delete(socket));

/**
 * Limits client connections, so that they leave enough files for the engine and the database. At the limit, a new
 * connection replaces an existing connection. The first choice is the connection that has been idle for the longest
 * time. The second choice is a connection in `yielding`, and the third choice is a connection whose request is arriving
 * slowly. If no such connection exists, the new connection is closed.
 *
 * @param reached - Called for each connection that is closed because of the limit.
 */
export function limitConnections(http: HttpServer, max: number, reached: () => void): void {
  /** The connections without a running request, longest idle first. */
  const idle = new Set<Socket>();
  /**
   * The connections with running requests. A client may send the next request before it gets a response, so a
   * connection may have several running requests. Only the latest of them may still be arriving.
   */
  const busy = new Map<Socket, { running: number; latest: IncomingMessage }>();

  function forget(socket: Socket): void {
    idle.delete(socket);
    busy.delete(socket);
  }

  function nextToGo(): Socket | undefined {
    for (const socket of idle) return socket;
    for (const socket of busy.keys()) if (yielding.has(socket)) return socket;
    for (const [socket, { latest }] of busy) if (isSentSlowly(latest)) return socket;
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
  http.prependListener('request', (incoming, response) => {
    const { socket } = incoming;
    const running = busy.get(socket)?.running ?? 0;
    if (!idle.delete(socket) && running === 0) return;
    busy.set(socket, { running: running + 1, latest: incoming });
    response.once('close', () => {
      yielding.delete(socket);
      const requests = busy.get(socket);
      if (!requests) return;
      requests.running--;
      if (requests.running > 0) return;
      busy.delete(socket);
      idle.add(socket);
    });
  });
}
