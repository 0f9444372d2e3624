import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';

/**
 * The usual `lingerMs`. A closing server still accepts connections for this time and responds with 503, because some
 * clients do not know about the shutdown yet. Idle connections also stay open for this time, because their clients may
 * still send requests.
 */
export const LINGER_MS = 500;

/**
 * Returns a function that waits until the requests have ended, and closes the server. Meanwhile, responses tell the
 * clients that the connections end. After `timeoutMs`, the function cuts off the requests that have not ended.
 */
export function watchConnections(http: HttpServer) {
  const connections = new Set<Socket>();
  const responding = new Set<ServerResponse>();
  let lingerMs: number | undefined;

  http.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  http.prependListener('request', (_request, response) => {
    responding.add(response);
    if (lingerMs !== undefined) response.shouldKeepAlive = false;
    response.once('close', () => {
      responding.delete(response);
      if (lingerMs !== undefined) void endIdle(lingerMs);
    });
  });

  return async (options: { lingerMs: number; timeoutMs: number }): Promise<void> => {
    lingerMs = options.lingerMs;
    const closed = once(http, 'close');
    const deadline = setTimeout(() => http.closeAllConnections(), options.timeoutMs);
    endBehindResponses(responding);
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

  async function endIdle(afterMs: number): Promise<void> {
    // Copy the list before the wait: connections that are opened meanwhile must not be destroyed below.
    const known = [...connections];
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    // After two passes of the event loop, the process has read all data that had arrived.
    await nextPass();
    await nextPass();
    http.closeIdleConnections();
    // Node counts a connection as busy if no byte has arrived on it, so `closeIdleConnections` skips it.
    for (const socket of known) if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Ends each connection after its last response. A connection may have several unfinished responses, because a client
 * can send more requests before it gets a response (pipelining).
 */
function endBehindResponses(responding: Iterable<ServerResponse>): void {
  const last = new Map([...responding].map((response) => [response.req.socket, response]));
  for (const response of last.values()) response.shouldKeepAlive = false;
}
