import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Node resumes the connection when a body is read, and after each response. */
function pauseAgain(this: Socket): void {
  this.pause();
}

/**
 * Handles the requests of a connection one after the other. A client may send thousands before it reads a response.
 * Node would start them all at once, so a single connection could delay all others. Nothing more is read while requests
 * wait.
 */
export function inTurn(listener: Listener): Listener {
  /** Requests that wait for the end of the one before. Empty if only one is under way, or has just ended. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  /**
   * Lets other connections come first. Without this pause, requests that need no waiting would occupy the event loop
   * until the last one ends. If requests have bodies, one can end before the next is parsed, so that nothing waits yet.
   */
  const ended = (socket: Socket) => void nextPass().then(() => startNext(socket));

  function startNext(socket: Socket): void {
    const line = waiting.get(socket);
    const next = socket.destroyed ? undefined : line?.shift();
    if (!next) return void waiting.delete(socket);
    next();
    if (line?.length !== 0) return;
    socket.off('resume', pauseAgain);
    // The body of this request may still be on its way.
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
