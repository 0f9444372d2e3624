const CONTINUE = 'HTTP/1.1 100';
/** Without this check, undici would also accept `RTSP/1.0` and `HTTP/2.0`. */
const VERSION = 'HTTP/1.';
const INTERIM_LENGTH = 'HTTP/1.1 1'.length;
const DIGIT_TWO = 0x32;

/**
 * Replaces `100 Continue` with `102 Processing`, which undici skips. RFC 9110, section 15.2, requires each client to
 * accept a `100 Continue` that the client has not requested, but undici would close the connection.
 */
export function createInterimScanner() {
  let at: 'status line' | 'interim head' | 'response' = 'response';
  /** The first characters of the current line. */
  let line = '';

  return {
    expectResponse(): void {
      at = 'status line';
      line = '';
    },
    /** Changes `piece` in place. Returns false if the response does not use HTTP/1. */
    scan(piece: Buffer): boolean {
      for (let index = 0; at !== 'response' && index < piece.length; index++) {
        const character = String.fromCharCode(piece.readUInt8(index));
        if (character === '\r') continue;
        if (character === '\n') {
          // undici also skips empty lines before a response.
          at = line === '' ? 'status line' : 'interim head';
          line = '';
        } else if (line.length < CONTINUE.length) {
          line += character;
          if (at === 'interim head') continue;
          if (!VERSION.startsWith(line.slice(0, VERSION.length))) return false;
          if (line.length === INTERIM_LENGTH && !line.endsWith('1')) at = 'response';
          if (line === CONTINUE) piece[index] = DIGIT_TWO;
        }
      }
      return true;
    },
  };
}
