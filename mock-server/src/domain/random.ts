import { hkdfSync, randomBytes } from 'node:crypto';

/** A source of random bytes. With a seed, the bytes are reproducible. */
export interface Random {
  /** With a seed, each purpose has its own sequence: drawing for one purpose does not change the other sequences. */
  bytes(purpose: string, count: number): Buffer;
}

export const systemRandom: Random = { bytes: (_purpose, count) => randomBytes(count) };

/** Use this only for tests, because anyone who knows the seed can compute every credential. */
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

/** Returns a random integer from 0 up to, but not including, 2^32. */
export const drawInteger = (random: Random, purpose: string): number => random.bytes(purpose, 4).readUInt32BE();

/** Returns a random number from 0 up to, but not including, 1. */
export const drawFraction = (random: Random, purpose: string): number =>
  random.bytes(purpose, 6).readUIntBE(0, 6) / 2 ** 48;
