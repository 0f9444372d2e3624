import { Socket } from 'node:net';

/** The sockets under a node's connections to its database, which can be cut all at once. */
export interface Sockets {
  /** Makes one for a new connection. */
  make(): Socket;
  /** Cuts all of them, and from now on each that is made: whoever waits for an answer over one is told at once. */
  cut(): void;
}

export function createSockets(): Sockets {
  const open = new Set<Socket>();
  let isCut = false;
  return {
    make() {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // Not before its connection listens to it.
      if (isCut) setImmediate(() => socket.destroy());
      return socket;
    },
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
  };
}
