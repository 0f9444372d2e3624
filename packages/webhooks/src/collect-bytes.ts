import { bodyNotRaw, checkSize } from './body.ts';

/**
 * Collects the chunks of a body in one buffer, so that many short chunks need no more memory than a few long chunks.
 * Throws as soon as the total size of the chunks exceeds `maxBytes`.
 */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  let length = 0;
  for await (const piece of pieces) {
    // Reject a stream with an encoding: it yields decoded text, whose bytes may differ from the signed bytes.
    if (!ArrayBuffer.isView(piece)) throw bodyNotRaw();
    length += piece.length;
    checkSize(length, maxBytes);
    if (length > bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(length * 2));
    bytes.set(piece, length - piece.length);
  }
  return bytes.slice(0, length);
}
