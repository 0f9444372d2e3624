/** A source of random numbers. The same seed always produces the same numbers. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number;
  /** Returns an integer from 0 up to, but not including, `below`. */
  integer(below: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /**
   * Returns a new sequence of random numbers. The new numbers do not depend on how many numbers were drawn from the
   * original sequence.
   */
  fork(name: string): Random;
}

/** Mulberry32 is fast, and good enough to choose the order of tasks. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    integer: (below) => Math.floor(fraction() * below),
    chance: (probability) => fraction() < probability,
    pick: <Item>(items: readonly Item[]) => items[Math.floor(fraction() * items.length)] as Item,
    fork: (name) => createRandom([...name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), seed)),
  };
}
