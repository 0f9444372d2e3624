import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';

/**
 * The usual `lingerMs`: how long a closing server still accepts connections. During this time, a client that does not
 * know about the shutdown can still connect, and gets a 503. Idle connections stay open for the same time, because
 * their clients may still send requests. Every request that arrives during this time gets a response.
 */
export const LINGER_MS = 500;

/**
 * Returns a function that closes the server without cutting off requests. Each response tells the client that the
 * connection ends. The function closes idle connections and accepts no new connections. After `timeoutMs`, the function
 * cuts off open requests.
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
    // Do not call `http.close()` here: it would destroy idle connections immediately, even if their next request has
    // arrived and is still unread.
    NetServer.prototype.close.call(http);
    void endIdle(lingerMs);
    await closed;
    clearTimeout(deadline);
    http.close();
  };

  async function endIdle(afterMs: number): Promise<void> {
    // Copy the list of connections before the wait: connections that are opened during the wait must not be destroyed
    // below.
    const known = [...connections];
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    // After two passes of the event loop, the process has read all data that had arrived.
    await nextPass();
    await nextPass();
    http.closeIdleConnections();
    // Destroy connections on which no byte has arrived. Node considers them busy, so `closeIdleConnections` skips them.
    for (const socket of known) if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Ends each connection after its last response. If requests are pipelined, an earlier response must not end the
 * connection.
 */
function endBehindResponses(responding: Iterable<ServerResponse>): void {
  const last = new Map([...responding].map((response) => [response.req.socket, response]));
  for (const response of last.values()) response.shouldKeepAlive = false;
}
