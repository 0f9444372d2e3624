import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { HandshakeReader } from './handshake-reader.ts';
import type { ReadingTime } from './parsing-time.ts';

/** The maximum size of a piece. A larger piece could contain too many short TLS records. */
const PIECE_BYTES = 16 * 1024;

/**
 * Sits between a socket and TLS. Without this stream, Node would pass the bytes of the socket to OpenSSL before any
 * JavaScript runs. During the handshake, a {@link HandshakeReader} checks the bytes, because some certificates take
 * seconds to read. Even allowed bytes can be slow to read: a handshake takes a few milliseconds, and a response in very
 * short TLS records takes ten times as long as usual. So the stream passes bytes on only when there is {@link
 * ReadingTime reading time}.
 */
export class EncryptedStream extends Duplex {
  readonly #raw: Socket;
  readonly #time: Pick<ReadingTime, 'hasTime' | 'wait'>;
  readonly #ownerOf: () => unknown;
  /** Holds the bytes that arrive during the handshake. `undefined` after the handshake. */
  #handshake: HandshakeReader | undefined = new HandshakeReader();
  /** The bytes after the handshake that have not been passed on. */
  readonly #pieces: Buffer[] = [];
  /** Whether this stream is waiting for its share of the reading time. */
  #isWaiting = false;
  /** Whether records of the handshake are being passed on. */
  #isPassing = false;
  /** Set when the last bytes have arrived. Contains the error if the connection failed. */
  #end: { error?: Error } | undefined;
  bytesPassed = 0;

  /** @param ownerOf - Returns the workspace that uses the connection now. */
  constructor(raw: Socket, time: Pick<ReadingTime, 'hasTime' | 'wait'>, ownerOf: () => unknown) {
    // TLS reads the whole buffer of this stream in one go, so the buffer holds only one piece.
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

  addSecret(line: Buffer): void {
    this.#handshake?.addSecret(line);
    if (this.#handshake && !this.#isPassing) this.#waitForTime();
  }

  #receive(bytes: Buffer): void {
    if (this.#handshake) {
      try {
        this.#handshake.add(bytes);
        this.#waitForTime();
      } catch (error) {
        this.destroy(error as Error);
      }
      return;
    }
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#pieces.push(bytes.subarray(at, at + PIECE_BYTES));
    this.#pass(false);
  }

  #finish(end: { error?: Error }): void {
    if (this.#end || this.destroyed) return;
    // A paused socket buffers up to 64 KiB. After a failure, the socket emits no `data` events for these bytes, so read
    // them now. In Node 26, `read` may return only some of the bytes, so call `read` until it returns null.
    for (let rest: Buffer | null = this.#raw.read(); rest; rest = this.#raw.read()) this.#receive(rest);
    this.#end = end;
    if (this.destroyed || this.#isWaiting) return;
    if (this.#handshake) this.#passEnd(end);
    else this.#pass(false);
  }

  /** A handshake is small, so it is not split into pieces. */
  #passHandshake(handshake: HandshakeReader): void {
    this.#isPassing = true;
    try {
      for (let bytes = handshake.take(); bytes && !this.destroyed; bytes = handshake.take()) {
        this.bytesPassed += bytes.length;
        this.push(bytes);
      }
    } catch (error) {
      this.destroy(error as Error);
    }
    this.#isPassing = false;
    if (handshake.isDone) this.#handshake = undefined;
    if (this.#end && !this.destroyed) this.#passEnd(this.#end);
  }

  /** `firstHasWaited` is true if the first piece has waited for reading time. */
  #pass(firstHasWaited: boolean): void {
    let hasWaited = firstHasWaited;
    let isWanted = true;
    while (this.#pieces.length > 0 && isWanted && !this.#isWaiting && (hasWaited || this.#hasTime())) {
      const piece = this.#pieces.shift() as Buffer;
      this.bytesPassed += piece.length;
      hasWaited = false;
      isWanted = this.push(piece);
    }
    if (this.#pieces.length > 0 || !isWanted) this.#raw.pause();
    else if (this.#end) this.#passEnd(this.#end);
    else this.#raw.resume();
  }

  #hasTime(): boolean {
    this.#isWaiting = !this.#time.hasTime(this.#resume, this.#ownerOf());
    return !this.#isWaiting;
  }

  #waitForTime(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#time.wait(this.#resume, this.#ownerOf());
  }

  readonly #resume = (): void => {
    this.#isWaiting = false;
    if (this.destroyed) return;
    if (this.#handshake) this.#passHandshake(this.#handshake);
    else this.#pass(true);
  };

  /**
   * After the handshake, ends the stream without the error: `destroy(error)` would discard a response that TLS and
   * undici have not read yet. If the stream ends in the middle of a response, undici reports an error itself.
   */
  #passEnd({ error }: { error?: Error }): void {
    if (error && this.#handshake) this.destroy(error);
    else this.push(null);
  }

  override _read(): void {
    if (!this.#handshake) this.#pass(false);
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Ignore the error of a write here, because `#finish` handles it.
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
