import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';

/** How long a closing server keeps idle connections open, and responds with 503 to late requests. */
export const LINGER_MS = 500;

/** Returns a function that closes the server when all requests have ended, or after `timeoutMs`. */
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
    // Connections that are opened during the wait must not be destroyed below.
    const known = [...connections];
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    // After two passes of the event loop, all data that had arrived has been read.
    await nextPass();
    await nextPass();
    http.closeIdleConnections();
    // Node counts a connection on which no byte has arrived as busy, and does not close it.
    for (const socket of known) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Ends each connection only after its last pending response, because it may have several pipelined requests. */
function endBehindResponses(responding: Iterable<ServerResponse>): void {
  const last = new Map([...responding].map((response) => [response.req.socket, response]));
  for (const response of last.values()) response.shouldKeepAlive = false;
}
