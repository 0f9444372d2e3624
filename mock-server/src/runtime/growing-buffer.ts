const FIRST_CAPACITY_BYTES = 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Joins parts in one buffer, whose capacity doubles as needed. A list of the parts would need much more memory:
 * hundreds of bytes for each part.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #kept = NOTHING;
  #length = 0;

  /** @param maxBytes - The maximum capacity. The caller must not append more bytes than this. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  append(part: Uint8Array): void {
    const needed = this.#length + part.length;
    if (needed > this.#kept.length) this.#grow(needed);
    this.#kept.set(part, this.#length);
    this.#length = needed;
  }

  /** Returns the bytes that have been added so far, without copying them. */
  bytes(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }

  take(): Buffer {
    const bytes = this.bytes();
    this.#kept = NOTHING;
    this.#length = 0;
    return bytes;
  }

  #grow(needed: number): void {
    // The first part is often the only part, so do not reserve more bytes than this part needs.
    const doubled = this.#length === 0 ? 0 : Math.max(FIRST_CAPACITY_BYTES, 2 * this.#kept.length);
    const grown = Buffer.allocUnsafe(Math.max(needed, Math.min(this.#maxBytes, doubled)));
    this.#kept.copy(grown, 0, 0, this.#length);
    this.#kept = grown;
  }
}
