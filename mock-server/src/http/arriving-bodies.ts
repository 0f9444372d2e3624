import type { IncomingMessage } from 'node:http';

const SMALL_BYTES = 1024;
const PIECE_BYTES = 16 * 1024;
/** A smaller chunk counts as this many bytes, because even a tiny chunk takes time to process. */
const CHUNK_MIN_BYTES = 64;
/** This part of the count is free, because each read from the socket may split a large chunk. */
const FREE_BYTES = 64 * 1024;

const counts = new WeakMap<IncomingMessage, { bytes: number }>();

export const bytesByChunks = (incoming: IncomingMessage): number => (counts.get(incoming)?.bytes ?? 0) - FREE_BYTES;

/** Joins tiny chunks, which could delay all clients: in Node's streams, a tiny chunk takes as long as a large one. */
export function joinChunks(incoming: IncomingMessage): void {
  const { push } = incoming;
  let piece = Buffer.alloc(0);
  let used = 0;
  const count = { bytes: 0 };
  counts.set(incoming, count);

  function flush(): void {
    // Copy the bytes, because a view of `piece` would keep the whole buffer in memory.
    const joined = Buffer.from(piece.subarray(0, used));
    used = 0;
    if (joined.length > 0 && !incoming.destroyed) push.call(incoming, joined);
  }

  // Node's parser calls `push` for each chunk, and stops reading from the socket if `push` returns false.
  incoming.push = (chunk: Buffer | null) => {
    if (chunk !== null) count.bytes += Math.max(chunk.length, CHUNK_MIN_BYTES);
    if (chunk === null || chunk.length > SMALL_BYTES) {
      flush();
      return push.call(incoming, chunk);
    }
    if (used + chunk.length > PIECE_BYTES) flush();
    if (piece.length === 0) piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    if (used === 0) setImmediate(flush);
    used += chunk.copy(piece, used);
    // Pause the socket until the flush, so that other connections can be served.
    return false;
  };
}

/** At the connection limit, a new connection may replace a connection whose body has been arriving for this long. */
const GIVES_WAY_AFTER_MS = 5_000;

/** The requests whose bodies have a time limit, which counts from `since`. */
const expected = new WeakMap<IncomingMessage, { since: number; deadline: NodeJS.Timeout }>();

export function expectBodyWithin(incoming: IncomingMessage, ms: number, cutOff: () => void): void {
  const deadline = setTimeout(() => {
    if (!incoming.complete) cutOff();
  }, ms);
  expected.set(incoming, { since: performance.now(), deadline });
  incoming.once('close', () => clearTimeout(deadline));
}

/** Removes the body's time limit. Call this if the code that reads the body has its own limits. */
export function letBodyTakeItsTime(incoming: IncomingMessage): void {
  clearTimeout(expected.get(incoming)?.deadline);
  expected.delete(incoming);
}

export function isSentSlowly(incoming: IncomingMessage): boolean {
  const { since } = expected.get(incoming) ?? {};
  return since !== undefined && !incoming.complete && performance.now() - since >= GIVES_WAY_AFTER_MS;
}
