import { hkdfSync, randomBytes } from 'node:crypto';

/** A source of random bytes: the system's, or repeatable ones. */
export interface Random {
  /**
   * @param purpose - What the bytes are for. With a seed, each purpose has a separate sequence. So the bytes for one
   *   purpose do not depend on when bytes for others are drawn.
   */
  bytes(purpose: string, count: number): Buffer;
}

/** The system's random bytes. */
export const systemRandom: Random = { bytes: (_purpose, count) => randomBytes(count) };

/** Bytes that a seed determines (HKDF-SHA256). For tests only: anyone who knows the seed knows every credential. */
export function createSeededRandom(seed: number): Random {
  const drawn = new Map<string, number>();
  return {
    bytes(purpose, count) {
      const index = drawn.get(purpose) ?? 0;
      drawn.set(purpose, index + 1);
      return Buffer.from(hkdfSync('sha256', `seed ${seed}`, '', `${purpose}:${index}`, count));
    },
  };
}

/** An integer from 0 up to, but not including, 2^32. */
export const drawInteger = (random: Random, purpose: string): number => random.bytes(purpose, 4).readUInt32BE();

/** A fraction from 0 up to, but not including, 1. */
export const drawFraction = (random: Random, purpose: string): number =>
  random.bytes(purpose, 6).readUIntBE(0, 6) / 2 ** 48;
