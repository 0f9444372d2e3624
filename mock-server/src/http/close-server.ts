import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a server that closes outside of a test still takes connections. A client that does not know yet gets a 503
 * instead of a closed port.
 */
export const LINGER_MS = 500;

/** How a server is closed. */
export interface CloseOptions {
  /**
   * For how long, in milliseconds, new connections are taken, because those who send requests have not heard yet; and for
   * how long a connection without a request stays open for one that is on its way: until an answer has said that the
   * connection ends, its client may send the next. What has arrived already is answered in any case.
   */
  lingerMs: number;
  /** After how long, in milliseconds, what is still under way is cut. */
  timeoutMs: number;
}

/**
 * Watches a server's connections, and gives what closes it without cutting off anybody who is being answered: each
 * answer says that its connection ends, the others end once they have nothing under way, and no new one is taken.
 */
export function watchConnections(http: HttpServer): (options: CloseOptions) => Promise<void> {
  const connections = new Set<Socket>();
  const answering = new Set<ServerResponse>();
  let lingerMs: number | undefined;

  http.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  http.prependListener('request', (_request, response) => {
    answering.add(response);
    if (lingerMs !== undefined) response.shouldKeepAlive = false;
    response.once('close', () => {
      answering.delete(response);
      if (lingerMs !== undefined) void endIdle(lingerMs);
    });
  });

  return async (options) => {
    lingerMs = options.lingerMs;
    const closed = once(http, 'close');
    const deadline = setTimeout(() => http.closeAllConnections(), options.timeoutMs);
    endBehindAnswers(answering);
    if (lingerMs > 0) {
      void endIdle(lingerMs);
      await sleep(lingerMs);
    }
    await nextTurn();
    // Not `http.close()`: it destroys idle connections at once, also those whose next request has not been read yet.
    NetServer.prototype.close.call(http);
    void endIdle(lingerMs);
    await closed;
    clearTimeout(deadline);
    http.close();
  };

  async function endIdle(afterMs: number): Promise<void> {
    // One that comes meanwhile has its own time.
    const known = [...connections];
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    // In two turns of the event loop everything is read that had arrived.
    await nextTurn();
    await nextTurn();
    http.closeIdleConnections();
    // To Node, one that never sent a byte is in the middle of its first request.
    for (const socket of known) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Of requests that were sent without waiting for answers, only the last one's may end their connection. */
function endBehindAnswers(answering: Iterable<ServerResponse>): void {
  const last = new Map([...answering].map((response) => [response.req.socket, response]));
  for (const response of last.values()) response.shouldKeepAlive = false;
}
