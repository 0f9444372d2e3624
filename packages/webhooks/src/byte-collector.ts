import { bodyTooLarge } from './body.ts';

/** Collects the pieces of a body, and throws as soon as they are more than `maxBytes`. */
export function createByteCollector(maxBytes: number) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return {
    add(piece: Uint8Array): void {
      length += piece.length;
      if (!(length <= maxBytes)) throw bodyTooLarge(maxBytes);
      pieces.push(piece);
    },
    join(): Uint8Array {
      if (pieces.length === 1) return pieces[0] as Uint8Array;
      const bytes = new Uint8Array(length);
      let offset = 0;
      for (const piece of pieces) {
        bytes.set(piece, offset);
        offset += piece.length;
      }
      return bytes;
    },
  };
}
