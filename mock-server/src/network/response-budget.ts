/** The maximum total size of status lines, headers, chunk sizes, trailers and interim responses. */
export const OVERHEAD_MAX_BYTES = 64 * 1024;
/** The maximum number of lines outside the body. */
export const OVERHEAD_MAX_LINES = 512;
/** The maximum number of bytes for a chunk's size and line ends. A server may pad the size to eight digits. */
const CHUNK_OVERHEAD_BYTES = 16;

const LF = 0x0a;

/** Counts what a server sends in addition to the body: the bytes that undici does not report as part of the body. */
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
    /** Records how many bytes of the current piece belong to the body. */
    addBody(bodyBytes: number): void {
      bytes -= bodyBytes + CHUNK_OVERHEAD_BYTES;
      hasBody = true;
    },
    /** Call this function after parsing a piece. Returns whether the response is still within its budget. */
    spend(piece: Uint8Array): boolean {
      bytes += piece.length;
      // If a piece contains bytes of the body, count none of the lines in the piece: header lines and lines of the body
      // cannot be told apart. Pieces are small, so few header lines remain uncounted.
      if (!hasBody) lines += linesIn(piece);
      hasBody = false;
      return bytes <= OVERHEAD_MAX_BYTES && lines <= OVERHEAD_MAX_LINES;
    },
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  // An indexed loop is faster than for-of here.
  for (let index = 0; index < piece.length; index++) if (piece[index] === LF) lines++;
  return lines;
}
