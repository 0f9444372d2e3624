import { AbortedError, type ServiceError } from './errors.ts';

/** The time until a client is closed. Closing it ends the client's running calls, and each call that starts later. */
export interface Lifetime {
  /**
   * Registers a call. Calls `end` when the client closes, or at once if it is already closed. Returns a function that
   * unregisters it.
   */
  enter(end: (error: ServiceError) => void): () => void;
  close(): void;
}

/** Creates a lifetime that ends with its `parent` or before. The parent holds no reference to it, so it can be collected. */
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
