import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ReadingTime } from './parsing-time.ts';

/**
 * The maximum number of bytes that a server may send before the TLS handshake ends. Most of these bytes are
 * certificates. A typical certificate chain is 3 to 8 KiB.
 */
export const HANDSHAKE_MAX_BYTES = 16 * 1024;

/** Thrown if a server's TLS handshake is too large. */
export class HandshakeTooLargeError extends Error {
  override readonly name = 'HandshakeTooLargeError';
  readonly code = 'ERR_TLS_HANDSHAKE_TOO_LARGE';

  constructor() {
    super("the server's certificates are too large");
  }
}

/**
 * Carries the bytes of a TLS connection, and limits the size of its handshake. OpenSSL verifies every certificate that
 * the server sends, even if an earlier certificate was invalid. A chain of 100 KiB, which OpenSSL accepts, can take
 * half a second. Node passes the bytes of a socket to OpenSSL before any JavaScript runs, so this stream sits between
 * the socket and TLS. Handshakes also share the {@link ReadingTime reading time}, so other work runs between two
 * handshakes.
 */
export class HandshakeStream extends Duplex {
  readonly #raw: Socket;
  readonly #time: ReadingTime;
  /** Identifies the workspace of the connection, for {@link ReadingTime.hasTime}. */
  readonly #owner: unknown;
  #left: number | undefined = HANDSHAKE_MAX_BYTES;
  /** Whether a piece is waiting for reading time. The next piece must not overtake the waiting piece. */
  #isWaiting = false;

  constructor(raw: Socket, time: ReadingTime, owner: unknown) {
    super();
    this.#raw = raw;
    this.#time = time;
    this.#owner = owner;
    raw
      .on('data', (piece: Buffer) => this.#receive(piece))
      .on('end', () => this.push(null))
      .on('error', (error) => this.#fail(error))
      .on('close', () => this.push(null));
  }

  /**
   * Ends the stream after a failure of the connection. After the handshake, the failure is only an end, because `destroy`
   * would discard bytes that TLS and undici have not read yet, such as the response of a server that has closed the
   * connection. undici reports the end if a response is incomplete.
   */
  #fail(error: Error): void {
    if (this.#left === undefined && !this.#isWaiting) this.push(null);
    else this.destroy(error);
  }

  /** Removes the limit, because the handshake has ended. */
  endHandshake(): void {
    this.#left = undefined;
  }

  #receive(piece: Buffer): void {
    if (this.#left === undefined) {
      this.#pass(piece);
      return;
    }
    this.#left -= piece.length;
    if (this.#left >= 0) this.#passInTime(piece);
    else this.destroy(new HandshakeTooLargeError());
  }

  #passInTime(piece: Buffer): void {
    this.#isWaiting = true;
    this.#raw.pause();
    this.#time.wait(() => {
      this.#isWaiting = false;
      if (!this.destroyed) this.#pass(piece);
    }, this.#owner);
  }

  #pass(piece: Buffer): void {
    if (this.push(piece)) this.#raw.resume();
    else this.#raw.pause();
  }

  override _read(): void {
    if (!this.#isWaiting) this.#raw.resume();
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // `#fail` handles the error of a write.
    this.#raw.write(piece, () => done());
  }

  override _final(done: () => void): void {
    this.#raw.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy();
    done(error);
  }
}
