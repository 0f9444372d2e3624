import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Pauses the connection again, because Node resumes the connection when a body is read, and after each response. */
function pauseAgain(this: Socket): void {
  this.pause();
}

/**
 * Handles the requests of a connection one after the other. A client may send thousands of requests before it reads a
 * response. Node would start all of these requests at the same time, so a single connection could delay all other
 * connections. While requests wait, no more requests are read from the connection.
 */
export function inTurn(listener: Listener): Listener {
  /**
   * The waiting requests of each busy connection. The list is empty if only one request is running, or has just ended.
   */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  /**
   * Starts the next request, but lets other connections run first. Without this pause, a series of requests that never
   * wait would occupy the event loop until the last request has ended. If no request is waiting, the pause still
   * applies, because the next request may not be parsed yet.
   */
  const ended = (socket: Socket) => void nextPass().then(() => startNext(socket));

  function startNext(socket: Socket): void {
    const line = waiting.get(socket);
    const next = socket.destroyed ? undefined : line?.shift();
    if (!next) return void waiting.delete(socket);
    next();
    if (line?.length !== 0) return;
    socket.off('resume', pauseAgain);
    // Continue reading, because the body of this request may still be arriving.
    socket.resume();
  }

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const start = () => {
      outgoing.once('close', () => ended(socket));
      listener(incoming, outgoing);
    };
    const line = waiting.get(socket);
    if (line) {
      if (line.push(start) > 1) return;
      socket.on('resume', pauseAgain);
      socket.pause();
      return;
    }
    waiting.set(socket, []);
    start();
  };
}
