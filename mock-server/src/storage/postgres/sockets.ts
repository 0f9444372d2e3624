import { Socket } from 'node:net';

/** The sockets of a node's database connections. All can be cut at once. */
export type Sockets = ReturnType<typeof createSockets>;

export function createSockets() {
  const open = new Set<Socket>();
  let isCut = false;
  return {
    /** Creates a socket for a new connection. */
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // Wait until the connection listens to its socket.
      if (isCut) setImmediate(() => socket.destroy());
      return socket;
    },
    /** Destroys all sockets, and each one created later. Everything that waits for a response fails at once. */
    cut(): void {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
  };
}
