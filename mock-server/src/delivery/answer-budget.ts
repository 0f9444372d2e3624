/** Bytes of an answer that are not its body: status lines, headers, chunk sizes and trailers, of interim answers too. */
export const OVERHEAD_MAX_BYTES = 64 * 1024;
/** Lines of an answer outside its body. */
export const OVERHEAD_MAX_LINES = 512;
/** What each chunk of a body may add for its size and its line ends, as a body may come in pieces of one byte. */
const CHUNK_OVERHEAD_BYTES = 8;

const LF = 0x0a;

/**
 * Counts what a receiver sends besides the body of its answer. It reads no HTTP: whoever parses the answer reports the
 * body that a piece contained, and all the rest of the piece counts as overhead.
 */
export interface AnswerBudget {
  /** Starts from zero, for the next answer. */
  reset(): void;
  /** Counts a piece once it is parsed. Returns whether the answer is still within its budget. */
  spend(piece: Uint8Array): boolean;
  /** Takes note of a part of the body that is in the piece that is being parsed. */
  addBody(bytes: number): void;
}

export function createAnswerBudget(): AnswerBudget {
  let bytes = 0;
  let lines = 0;
  let hasBody = false;
  return {
    reset() {
      bytes = 0;
      lines = 0;
      hasBody = false;
    },
    addBody(bodyBytes) {
      bytes -= bodyBytes + CHUNK_OVERHEAD_BYTES;
      hasBody = true;
    },
    spend(piece) {
      bytes += piece.length;
      // The lines of a body are not counted, and of a piece that holds a part of one it is unknown which these are. Pieces
      // are small, and an answer has few in which headers and body meet.
      if (!hasBody) lines += linesIn(piece);
      hasBody = false;
      return bytes <= OVERHEAD_MAX_BYTES && lines <= OVERHEAD_MAX_LINES;
    },
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  // Not for-of, which is slower here: every answer comes through this loop.
  for (let index = 0; index < piece.length; index++) if (piece[index] === LF) lines++;
  return lines;
}
