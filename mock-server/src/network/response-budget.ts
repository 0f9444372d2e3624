/**
 * The maximum number of bytes of a response outside its body: status lines, headers, chunk sizes, trailers and interim
 * responses.
 */
export const OVERHEAD_MAX_BYTES = 64 * 1024;
/** The maximum number of lines of a response outside its body. */
export const OVERHEAD_MAX_LINES = 512;
/**
 * Extra bytes allowed for each chunk: its size and line ends. A server may send a body in chunks of one byte, and may pad
 * their sizes to eight digits.
 */
const CHUNK_OVERHEAD_BYTES = 16;

const LF = 0x0a;

/**
 * Counts what a server sends in addition to the body of its response. It does not parse HTTP. The parser reports how
 * many body bytes a piece contained, and the rest of the piece counts as overhead.
 */
export function createResponseBudget() {
  let bytes = 0;
  let lines = 0;
  let hasBody = false;
  return {
    /** Starts at zero for the next response. */
    reset(): void {
      bytes = 0;
      lines = 0;
      hasBody = false;
    },
    /** Records body bytes found in the piece that is being parsed. */
    addBody(bodyBytes: number): void {
      bytes -= bodyBytes + CHUNK_OVERHEAD_BYTES;
      hasBody = true;
    },
    /** Counts a piece after it is parsed. Returns whether the response is still within its budget. */
    spend(piece: Uint8Array): boolean {
      bytes += piece.length;
      // Lines of a body do not count. If a piece contains body bytes, we cannot tell which of its lines are body, so
      // none count. Pieces are small, and few pieces of a response contain both headers and body.
      if (!hasBody) lines += linesIn(piece);
      hasBody = false;
      return bytes <= OVERHEAD_MAX_BYTES && lines <= OVERHEAD_MAX_LINES;
    },
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  // An indexed loop is faster than for-of here, and every response passes through it.
  for (let index = 0; index < piece.length; index++) if (piece[index] === LF) lines++;
  return lines;
}
