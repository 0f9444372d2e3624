import { RESPONSE_BODY_KEPT_BYTES, RESPONSE_HEADERS_KEPT } from '@svc/contract';

/** Keeps the first of a receiver's headers, names in lower case, values of one name joined: at most 100 and 16 KiB of them. */
export function keptHeaders(entries: Iterable<[string, string | string[] | undefined]>): Record<string, string> {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of entries) {
    const text = typeof value === 'string' ? value : (value ?? []).join(', ');
    bytes += name.length + text.length;
    if (kept.length === RESPONSE_HEADERS_KEPT.count || bytes > RESPONSE_HEADERS_KEPT.bytes) break;
    kept.push([name.toLowerCase(), text]);
  }
  return Object.fromEntries(kept);
}

/** Collects a body up to the 64 KiB that are kept. */
export function createBodyKeeper() {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    /** @returns whether there is room for more. */
    add(chunk: Uint8Array): boolean {
      const room = RESPONSE_BODY_KEPT_BYTES - bytes;
      // Copied where only a part is kept, so that the rest of a large chunk is not held in memory with it.
      chunks.push(chunk.length > room ? chunk.slice(0, room) : chunk);
      bytes += Math.min(chunk.length, room);
      return bytes < RESPONSE_BODY_KEPT_BYTES;
    },
    /** UTF-8, lossily. NUL becomes the replacement character too: no database keeps it in a text. */
    text: () => Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}
