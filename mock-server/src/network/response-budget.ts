/** The maximum total size of status lines, headers, chunk sizes, trailers and interim responses. */
export const OVERHEAD_MAX_BYTES = 64 * 1024;
/** The maximum number of lines of a response, not counting its body. */
export const OVERHEAD_MAX_LINES = 512;
/** The allowed overhead of each chunk, for its size and line ends. A server may pad the size to eight digits. */
const CHUNK_OVERHEAD_BYTES = 16;

const LF = 0x0a;

/**
 * Counts what a server sends in addition to the body of its response. undici parses each piece and reports how many
 * bytes of the body the piece contained. The other bytes of the piece count as overhead.
 */
export function createResponseBudget() {
  let bytes = 0;
  let lines = 0;
  let hasBody = false;
  return {
    reset(): void {
      bytes = 0;
      lines = 0;
      hasBody = false;
    },
    /** Records body bytes in the piece that is being parsed. */
    addBody(bodyBytes: number): void {
      bytes -= bodyBytes + CHUNK_OVERHEAD_BYTES;
      hasBody = true;
    },
    /** Counts a piece after it is parsed. Returns whether the response is still within its budget. */
    spend(piece: Uint8Array): boolean {
      bytes += piece.length;
      // The lines of a body do not count. If a piece contains bytes of the body, it is unknown which of its lines are
      // in the body. So no line of this piece counts. Few header lines escape the count: pieces are small, and few
      // pieces contain both headers and body.
      if (!hasBody) lines += linesIn(piece);
      hasBody = false;
      return bytes <= OVERHEAD_MAX_BYTES && lines <= OVERHEAD_MAX_LINES;
    },
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  // This loop runs for every piece without body bytes, and an indexed loop is faster than for-of here.
  for (let index = 0; index < piece.length; index++) if (piece[index] === LF) lines++;
  return lines;
}
