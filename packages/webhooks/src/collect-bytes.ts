import { bodyNotRaw, checkSize } from './body.ts';

/** Collects the chunks of a body. Throws as soon as the total size of the chunks exceeds `maxBytes`. */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    // A stream with an encoding yields decoded text, whose bytes may differ from the signed bytes. So reject such a
    // stream.
    if (!ArrayBuffer.isView(piece)) throw bodyNotRaw();
    length += piece.length;
    checkSize(length, maxBytes);
    collected.push(piece);
  }
  const bytes = new Uint8Array(length);
  for (const piece of collected.reverse()) {
    length -= piece.length;
    bytes.set(piece, length);
  }
  return bytes;
}
