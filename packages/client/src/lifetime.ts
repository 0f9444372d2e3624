import { AbortedError, type ServiceError } from './errors.ts';

/** The lifetime of a client. `close` ends the client's running calls and rejects later calls. */
export interface Lifetime {
  /**
   * Registers a call. Calls `end` when the client is closed, or immediately if it is already closed. Returns a function
   * that unregisters the call.
   */
  enter(end: (error: ServiceError) => void): () => void;
  close(): void;
}

/**
 * Creates a lifetime that ends when its `parent` ends, or earlier if its own `close` is called. The parent holds no
 * reference to the new lifetime, so the new lifetime can be garbage-collected.
 */
export function createLifetime(parent?: Lifetime): Lifetime {
  const calls = new Set<(error: ServiceError) => void>();
  let isClosed = false;
  const closed = () => new AbortedError('The client was closed');
  return {
    enter(end) {
      const leave = parent?.enter(end);
      calls.add(end);
      if (isClosed) end(closed());
      return () => {
        calls.delete(end);
        leave?.();
      };
    },
    close() {
      isClosed = true;
      for (const end of calls) end(closed());
    },
  };
}
