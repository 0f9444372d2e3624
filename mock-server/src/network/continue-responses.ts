const CONTINUE = Buffer.from('HTTP/1.1 100');
/** Without this check, undici would also accept `RTSP/1.0` and `HTTP/2.0`. */
const VERSION_BYTES = 'HTTP/1.'.length;
const INTERIM_BYTES = 'HTTP/1.1 1'.length;
const DIGIT_TWO = 0x32;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Replaces `100 Continue` with `102 Processing`, which undici skips. RFC 9110, section 15.2, requires each client to
 * accept a `100 Continue` that the client has not requested, but undici would close the connection.
 */
export function createInterimScanner() {
  let at: 'start' | 'interim head' | 'response' | 'other protocol' = 'response';
  let matched = 0;
  let lineLength = 0;

  function start(): void {
    at = 'start';
    matched = 0;
  }

  function step(piece: Buffer, index: number): void {
    const byte = piece[index];
    if (at === 'interim head') {
      if (byte === LF && lineLength === 0) start();
      else if (byte === LF) lineLength = 0;
      else if (byte !== CR) lineLength++;
      return;
    }
    // undici also skips these characters before a response.
    if (matched === 0 && (byte === CR || byte === LF)) return;
    const matches = byte === CONTINUE[matched];
    if (matches && ++matched < CONTINUE.length) return;
    if (matches) piece[index] = DIGIT_TWO;
    if (matched < VERSION_BYTES) at = 'other protocol';
    else at = matched >= INTERIM_BYTES ? 'interim head' : 'response';
    lineLength = matched;
  }

  return {
    expectResponse: start,
    /** Changes `piece` in place. Returns false if the response does not use HTTP/1. */
    scan(piece: Buffer): boolean {
      for (let index = 0; (at === 'start' || at === 'interim head') && index < piece.length; index++)
        step(piece, index);
      return at !== 'other protocol';
    },
  };
}
