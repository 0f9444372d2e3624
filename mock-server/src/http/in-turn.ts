import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/**
 * Handles the requests of a connection one after the other. A client may send thousands before it reads a response.
 * Node would start them all at once, so a single connection could delay all others. Nothing more is read while requests
 * wait.
 */
export function inTurn(listener: Listener): Listener {
  /** Requests that wait for the end of the one before. Empty if only one is under way. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function ended(socket: Socket): void {
    // Other connections come first. Otherwise, requests that need no waiting would occupy the event loop until the last
    // one ends.
    if (waiting.get(socket)?.length) setImmediate(startNext, socket);
    else waiting.delete(socket);
  }

  function startNext(socket: Socket): void {
    const line = waiting.get(socket);
    const next = socket.destroyed ? undefined : line?.shift();
    if (!next) return void waiting.delete(socket);
    next();
    // The body of this request may still be on its way.
    if (line?.length === 0) socket.resume();
  }

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const start = () => {
      outgoing.once('close', () => ended(socket));
      listener(incoming, outgoing);
    };
    const line = waiting.get(socket);
    if (line) {
      line.push(start);
      socket.pause();
      return;
    }
    waiting.set(socket, []);
    start();
  };
}
