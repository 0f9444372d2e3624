import type { Socket } from 'node:net';
import { createInterimScanner } from './interim-scanner.ts';
import type { ReadingTime } from './parsing-time.ts';
import { createResponseBudget } from './response-budget.ts';

/** Thrown if a response has more headers, trailers or chunk lines than allowed. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** Thrown if a response does not begin with an HTTP/1 status line. */
export class OtherProtocolError extends Error {
  override readonly name = 'OtherProtocolError';
}

/** Without pieces, undici would parse all bytes that have arrived, even bytes beyond the budget. */
const PIECE_BYTES = 4 * 1024;

/** Whether the server caused the error: it reset the connection, or sent TLS data that OpenSSL reports as an error. */
const isOfServer = (error: NodeJS.ErrnoException | undefined) => /^(ECONNRESET$|ERR_SSL_)/.test(error?.code ?? '');

export interface ResponseReader {
  /** Call this when a request is about to be written: the next byte that arrives starts a response. */
  expectResponse(owner: unknown): void;
  addBody(bytes: number): void;
}

/**
 * Makes undici read a connection in small pieces, and only while there is {@link ReadingTime time}. Destroys the
 * connection as soon as a response exceeds its {@link createResponseBudget budget}. If a server sends a complete
 * response, and then resets the connection or sends invalid TLS data, undici still reads the response.
 */
export function readInPieces(socket: Socket, time: ReadingTime): ResponseReader {
  const budget = createResponseBudget();
  const interim = createInterimScanner();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let parsed: Buffer | null = null;
  let isWaiting = false;
  let owner: unknown = socket;
  /** Holds the error of a failed connection until undici has read the bytes that arrived before the error. */
  let failure: Error | undefined;

  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (socket.readableLength === 0 || !isOfServer(error)) return destroy(error);
    failure = error;
    return socket;
  };

  function resume(): void {
    isWaiting = false;
    // The `readable` event makes undici read again.
    if (!socket.destroyed) socket.emit('readable');
  }

  // undici calls `read()` until it returns null, and parses each piece before it reads the next one.
  socket.read = (size?: number) => {
    if (size !== undefined) return read(size);
    if (parsed !== null && !budget.spend(parsed)) {
      parsed = null;
      socket.destroy(new ResponseTooLargeError('The headers or trailers of the response are too large.'));
      return null;
    }
    parsed = null;
    isWaiting ||= socket.readableLength > 0 && !time.hasTime(resume, owner);
    if (isWaiting) return null;
    parsed = read(Math.min(PIECE_BYTES, socket.readableLength) || undefined);
    if (parsed === null && failure) destroy(failure);
    if (parsed !== null && !interim.scan(parsed)) {
      parsed = null;
      socket.destroy(new OtherProtocolError('The response does not use HTTP/1.'));
    }
    return parsed;
  };

  // undici puts back bytes that the reader of a body cannot take yet. The budget counts these bytes when undici reads
  // them again.
  const unshift = socket.unshift.bind(socket) as (rest: Buffer) => void;
  socket.unshift = (rest: Buffer) => {
    parsed = parsed?.subarray(0, parsed.length - rest.length) ?? null;
    unshift(rest);
  };

  return {
    expectResponse(ownerOfRequest) {
      owner = ownerOfRequest;
      budget.reset();
      interim.expectResponse();
    },
    addBody: budget.addBody,
  };
}
