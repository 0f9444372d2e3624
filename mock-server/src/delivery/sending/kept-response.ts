import { RESPONSE_BODY_KEPT_BYTES, RESPONSE_HEADERS_KEPT } from '@svc/contract';

/**
 * Keeps the first headers of a response: at most 100 headers and 16 KiB. Converts names to lower case, and joins the
 * values of headers with the same name.
 */
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

const FIRST_CAPACITY_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Collects up to 64 KiB of a body. Copies every piece into one growing buffer. If it kept the pieces, a body that
 * arrives byte by byte would keep an object and a read buffer in memory for each byte.
 */
export function createBodyKeeper() {
  let kept = NOTHING;
  let bytes = 0;

  function makeRoom(needed: number): void {
    if (needed <= kept.length) return;
    const capacity = Math.min(RESPONSE_BODY_KEPT_BYTES, Math.max(FIRST_CAPACITY_BYTES, 2 * kept.length, needed));
    const grown = Buffer.allocUnsafe(capacity);
    kept.copy(grown, 0, 0, bytes);
    kept = grown;
  }

  return {
    /** @returns whether there is still room for more of the body. */
    add(chunk: Uint8Array): boolean {
      const part = chunk.subarray(0, RESPONSE_BODY_KEPT_BYTES - bytes);
      makeRoom(bytes + part.length);
      kept.set(part, bytes);
      bytes += part.length;
      return bytes < RESPONSE_BODY_KEPT_BYTES;
    },
    /**
     * The body, decoded as UTF-8, with replacement characters for invalid bytes. NUL characters are replaced, too,
     * because not every database can store NUL in a string.
     */
    text: () => kept.toString('utf8', 0, bytes).replaceAll('\0', '\uFFFD'),
  };
}
