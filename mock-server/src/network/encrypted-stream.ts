import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ReadingTime } from './parsing-time.ts';

/**
 * The maximum number of bytes that a server may send before the TLS handshake ends. Most of these bytes are
 * certificates. A typical certificate chain is 3 to 8 KiB.
 */
export const HANDSHAKE_MAX_BYTES = 16 * 1024;

/** After the handshake, TLS gets at most this many bytes at once: a piece may consist of very many TLS records. */
const PIECE_BYTES = 16 * 1024;

/** Thrown if a server's TLS handshake is too large. */
export class HandshakeTooLargeError extends Error {
  override readonly name = 'HandshakeTooLargeError';
  readonly code = 'ERR_TLS_HANDSHAKE_TOO_LARGE';

  constructor() {
    super("the server's certificates are too large");
  }
}

/**
 * Carries the encrypted bytes of a TLS connection. Node passes the bytes of a socket to OpenSSL before any JavaScript
 * runs, so this stream sits between the socket and TLS. It passes bytes on only while there is
 * {@link ReadingTime reading time}, because two kinds of bytes are slow to read:
 *
 * - The certificates of a handshake. OpenSSL verifies every certificate that the server sends, even if an earlier
 *   certificate was invalid. A chain of 100 KiB, which OpenSSL accepts, can take half a second. So the size of a
 *   handshake is limited, and other work runs between two handshakes.
 * - Short TLS records. A response in records of 8 bytes takes ten times as long as a response in records of 16 KiB.
 */
export class EncryptedStream extends Duplex {
  readonly #raw: Socket;
  readonly #time: ReadingTime;
  readonly #ownerOf: () => unknown;
  /** How many more bytes the handshake may have. `undefined` after the handshake. */
  #handshakeLeft: number | undefined = HANDSHAKE_MAX_BYTES;
  /** The bytes that have arrived and have not been passed on. */
  readonly #pieces: Buffer[] = [];
  /** Whether the next piece is waiting for reading time. */
  #isWaiting = false;
  /** Set once no more bytes arrive, with the error if the connection failed. */
  #end: { error?: Error } | undefined;
  /** The number of bytes that TLS has got. */
  bytesPassed = 0;

  /** @param ownerOf - Returns the workspace that uses the connection now, for {@link ReadingTime.hasTime}. */
  constructor(raw: Socket, time: ReadingTime, ownerOf: () => unknown) {
    // TLS reads everything at once that is in the buffer of this stream.
    super({ readableHighWaterMark: PIECE_BYTES });
    this.#raw = raw;
    this.#time = time;
    this.#ownerOf = ownerOf;
    raw
      .on('data', (bytes: Buffer) => this.#receive(bytes))
      .on('end', () => this.#finish({}))
      .on('error', (error) => this.#finish({ error }))
      .on('close', () => this.#finish({}));
  }

  /** Removes the limit, because the handshake has ended. */
  endHandshake(): void {
    this.#handshakeLeft = undefined;
  }

  #receive(bytes: Buffer): void {
    if (this.#handshakeLeft !== undefined) {
      this.#handshakeLeft -= bytes.length;
      if (this.#handshakeLeft < 0) {
        this.destroy(new HandshakeTooLargeError());
        return;
      }
    }
    const size = this.#handshakeLeft === undefined ? PIECE_BYTES : bytes.length;
    for (let at = 0; at < bytes.length; at += size) this.#pieces.push(bytes.subarray(at, at + size));
    this.#pass(false);
  }

  #finish(end: { error?: Error }): void {
    if (this.#end || this.destroyed) return;
    // While the socket is paused, it keeps up to 64 KiB. After a failure, it emits no more `data`.
    const rest = this.#raw.read() as Buffer | null;
    if (rest) this.#receive(rest);
    this.#end = end;
    if (!this.destroyed) this.#pass(false);
  }

  /** Passes on what has arrived. `isTurn` is true if the first piece has waited for reading time. */
  #pass(isTurn: boolean): void {
    let hasWaited = isTurn;
    let isWanted = true;
    while (this.#pieces.length > 0 && isWanted && !this.#isWaiting && this.#hasTime(hasWaited)) {
      const piece = this.#pieces.shift() as Buffer;
      this.bytesPassed += piece.length;
      hasWaited = false;
      isWanted = this.push(piece);
    }
    if (this.#pieces.length > 0 || !isWanted) this.#raw.pause();
    else if (this.#end) this.#passEnd(this.#end);
    else this.#raw.resume();
  }

  /** Whether a piece may pass now. If not, the piece waits. In a handshake, each piece waits. */
  #hasTime(hasWaited: boolean): boolean {
    if (this.#handshakeLeft === undefined) {
      this.#isWaiting = !this.#time.hasTime(this.#resume, this.#ownerOf());
    } else if (!hasWaited) {
      this.#isWaiting = true;
      this.#time.wait(this.#resume, this.#ownerOf());
    }
    return !this.#isWaiting;
  }

  readonly #resume = (): void => {
    this.#isWaiting = false;
    if (!this.destroyed) this.#pass(true);
  };

  /**
   * After the handshake, ends the stream without the error. With the error, `destroy` would discard bytes that TLS and
   * undici have not read yet, such as the response of a server that has closed the connection. If a response is
   * incomplete, undici reports the end of the stream.
   */
  #passEnd({ error }: { error?: Error }): void {
    if (error && this.#handshakeLeft !== undefined) this.destroy(error);
    else this.push(null);
  }

  override _read(): void {
    this.#pass(false);
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // `#finish` handles the error of a write.
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
