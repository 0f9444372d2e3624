import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Pauses the connection again, because Node resumes it when a body is read, and after each response. */
function pauseAgain(this: Socket): void {
  this.pause();
}

/**
 * Handles the requests of a connection one after another. Node would start thousands of pipelined requests at once, so
 * a single connection could delay all others.
 */
export function oneAtATime(listener: Listener): Listener {
  /** The waiting requests of each busy connection. A connection is busy while it runs a request or pauses after one. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  /** Lets other connections run first, even if no request is waiting: Node may not have parsed the next request yet. */
  async function startNext(socket: Socket): Promise<void> {
    await nextPass();
    const line = waiting.get(socket);
    const next = socket.destroyed ? undefined : line?.shift();
    if (!next) return void waiting.delete(socket);
    next();
    if (line?.length !== 0) return;
    socket.off('resume', pauseAgain);
    // The body of the request that has just started may still be arriving.
    socket.resume();
  }

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const start = () => {
      outgoing.once('close', () => void startNext(socket));
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
