import type { Socket } from 'node:net';
import { ConnectionCutError } from './errors.ts';

/** Waits until a request may begin. @throws {@link ConnectionCutError} if the connection closes before then. */
export type Starts = (sender: string, socket: Socket) => Promise<void>;

/**
 * Limits how many requests begin in one pass of the event loop. Each pass handles all requests that have arrived, and
 * even a request without a query takes time. So a client with a thousand connections could make each pass so long that
 * no other client gets a response. While requests wait, one request of each sender begins in turn, so a sender with many
 * requests hardly delays the other senders.
 */
export function createStarts(perPassMax: number): Starts {
  /** The waiting requests of each sender. The sender whose turn is next is first. */
  const waiting = new Map<string, Set<() => void>>();
  /** The number of requests that have begun in this pass. */
  let begun = 0;

  function countBegun(): void {
    if (begun === 0) setImmediate(nextPass);
    begun++;
  }

  function nextPass(): void {
    begun = 0;
    for (const [sender, line] of waiting) {
      if (begun === perPassMax) return;
      waiting.delete(sender);
      const [begin] = line;
      if (begin) {
        countBegun();
        begin();
      }
      // The loop visits the sender again after all other senders.
      if (line.size > 0) waiting.set(sender, line);
    }
  }

  return async (sender, socket) => {
    if (begun < perPassMax && waiting.size === 0) {
      countBegun();
      return;
    }
    const line = waiting.get(sender) ?? new Set();
    waiting.set(sender, line);
    await new Promise<void>((resolve, reject) => {
      const leave = (end: () => void) => {
        line.delete(begin);
        socket.off('close', close);
        end();
      };
      const begin = () => leave(resolve);
      const close = () => leave(() => reject(new ConnectionCutError()));
      line.add(begin);
      socket.once('close', close);
    });
  };
}
