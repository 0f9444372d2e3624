import type { Socket } from 'node:net';
import { ConnectionCutError } from './errors.ts';

/** Waits until a request may begin. @throws {@link ConnectionCutError} if the connection closes before then. */
export type Starts = (sender: string, socket: Socket) => Promise<void>;

/**
 * Limits how many of a sender's requests begin in one pass of the event loop. Each pass handles all requests that have
 * arrived, and even a request without a query takes time. So a sender with a thousand connections could make each pass
 * so long that no other client gets a response.
 */
export function createStarts(perPassMax: number): Starts {
  const lines = new Map<string, { begun: number; waiting: Set<() => void> }>();

  function nextPass(): void {
    for (const [sender, line] of lines) {
      line.begun = 0;
      for (const begin of line.waiting) {
        if (line.begun === perPassMax) break;
        line.begun++;
        begin();
      }
      if (line.begun === 0) lines.delete(sender);
    }
    if (lines.size > 0) setImmediate(nextPass);
  }

  function lineOf(sender: string) {
    const line = lines.get(sender) ?? { begun: 0, waiting: new Set() };
    if (lines.size === 0) setImmediate(nextPass);
    lines.set(sender, line);
    return line;
  }

  return async (sender, socket) => {
    const line = lineOf(sender);
    if (line.begun < perPassMax && line.waiting.size === 0) {
      line.begun++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (end: () => void) => {
        line.waiting.delete(begin);
        socket.off('close', close);
        end();
      };
      const begin = () => leave(resolve);
      const close = () => leave(() => reject(new ConnectionCutError()));
      line.waiting.add(begin);
      socket.once('close', close);
    });
  };
}
