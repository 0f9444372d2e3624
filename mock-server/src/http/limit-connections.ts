import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isSentSlowly } from './arriving-bodies.ts';

/** The files that a process needs in addition to its connections. */
const OTHER_FILES = 256;

/** Leaves files for attempts and the database. Connections get at least a quarter of all files: attempts can wait. */
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

/** At the connection limit, a new connection may replace this connection until the response on it has ended. */
export const giveWay = (socket: Socket): void => void yielding.add(socket);

/** Undoes {@link giveWay}. Call this when the caller is known and the request no longer waits. */
export const holdPlace = (socket: Socket | undefined): void => void (socket && yielding.delete(socket));

/**
 * Leaves enough files for the engine and the database. At the limit, a new connection replaces the connection that has
 * been idle longest, or else one that gives way, or else one whose request arrives slowly. If there is none, the new
 * connection is closed.
 *
 * @param reached - Called for each connection that is closed because of the limit.
 */
export function limitConnections(http: HttpServer, max: number, reached: () => void): void {
  /** The connections without a running request, longest idle first. */
  const idle = new Set<Socket>();
  /** The other connections. If requests are pipelined, only the latest of them may still be arriving. */
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
