import type { Socket } from 'node:net';
import { ConnectionCutError } from './errors.ts';

interface Sender {
  /** The owner of the request's credential, or the client's address if the credential is not known. */
  name: string;
  isKnown: boolean;
}

/** The waiting requests of each sender. The first sender in the map comes next. */
type Lines = Map<string, Set<() => void>>;

/**
 * Limits how many requests begin in one pass of the event loop. Otherwise, a client with a thousand connections could
 * make each pass very long. Waiting senders alternate. Known senders alternate with unknown senders, so even a very
 * large number of unknown addresses hardly delays known senders.
 *
 * @returns a function that waits until a request may begin. Throws {@link ConnectionCutError} if the connection closes
 *   before then.
 */
export function createStarts(perPassMax: number): (sender: Sender, socket: Socket) => Promise<void> {
  const known: Lines = new Map();
  const unknown: Lines = new Map();
  let isKnownNext = true;
  let begun = 0;

  function countBegun(): void {
    if (begun === 0) setImmediate(nextPass);
    begun++;
  }

  function nextPass(): void {
    begun = 0;
    while (begun < perPassMax) {
      const [first, second] = isKnownNext ? [known, unknown] : [unknown, known];
      if (!beginNext(first) && !beginNext(second)) return;
      isKnownNext = !isKnownNext;
    }
  }

  function beginNext(lines: Lines): boolean {
    for (const [sender, line] of lines) {
      lines.delete(sender);
      const [begin] = line;
      if (!begin) continue;
      countBegun();
      begin();
      // One request of each other sender begins before this sender's next request.
      if (line.size > 0) lines.set(sender, line);
      return true;
    }
    return false;
  }

  return async ({ name, isKnown }, socket) => {
    if (begun < perPassMax && known.size === 0 && unknown.size === 0) {
      countBegun();
      return;
    }
    const lines = isKnown ? known : unknown;
    const line = lines.get(name) ?? new Set();
    lines.set(name, line);
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
