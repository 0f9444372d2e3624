import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
/** So much of it is the beginning of every interim answer. */
const INTERIM_BYTES = 'HTTP/1.1 1'.length;
const DIGIT_TWO = 0x32;
const CR = 0x0d;
const LF = 0x0a;

/**
 * undici ends a connection on which a `100 Continue` comes that it did not ask for, though a client has to be able to
 * read one (RFC 9110, section 15.2). It is shown `102 Processing` in its place, an interim answer that it passes over.
 */
export function showContinueAsProcessing(socket: Socket): void {
  const interim = createInterimScanner();
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.push = (chunk, encoding) => {
    if (chunk) interim.scan(chunk);
    return push(chunk, encoding);
  };
  // What comes next begins an answer: one request at a time goes over a connection.
  socket.write = (...given: unknown[]) => {
    interim.expectAnswer();
    return write(...given);
  };
}

/** Follows the heads of interim answers up to the head behind them, over whatever pieces they come in. */
function createInterimScanner() {
  let at: 'start' | 'interim head' | 'answer' = 'answer';
  let matched = 0;
  let lineLength = 0;

  function start(): void {
    at = 'start';
    matched = 0;
  }

  function step(chunk: Buffer, index: number): void {
    const byte = chunk[index];
    if (at === 'interim head') {
      if (byte === LF && lineLength === 0) start();
      else if (byte === LF) lineLength = 0;
      else if (byte !== CR) lineLength++;
      return;
    }
    const matches = byte === CONTINUE[matched];
    if (matches && ++matched < CONTINUE.length) return;
    if (matches) chunk[index] = DIGIT_TWO;
    at = matched >= INTERIM_BYTES ? 'interim head' : 'answer';
    lineLength = matched;
  }

  return {
    expectAnswer: start,
    /** Puts 102 in the place of each 100. */
    scan(chunk: Buffer): void {
      for (let index = 0; at !== 'answer' && index < chunk.length; index++) step(chunk, index);
    },
  };
}
