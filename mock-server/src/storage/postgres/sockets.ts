import { Socket } from 'node:net';

/** The sockets of a node's database connections, which a single call can destroy. */
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
      // Destroy the socket only after the connection has started to listen to it.
      if (isCut) setImmediate(() => socket.destroy());
      return socket;
    },
    /**
     * Destroys all sockets, and every socket that is created later. Everything that waits for a response fails
     * immediately.
     */
    cut(): void {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
  };
}
