import { describe, expect, it } from 'vitest';
import { createReadingTime } from '../../../src/network/parsing-time.ts';

const nextPass = () => new Promise(setImmediate);

/**
 * Connections with these numbers of pieces to read, each of which takes `pieceMs`. The first letter of a connection's
 * name identifies its owner. `read` lists whose pieces were read, in order.
 */
function startReading(pieces: Record<string, number>, pieceMs: number) {
  let now = 0;
  const read: string[] = [];
  const time = createReadingTime(() => now);
  function start(name: string, count: number): void {
    let left = count;
    const readOn = () => {
      while (left > 0 && time.hasTime(readOn, name[0])) {
        left--;
        now += pieceMs;
        read.push(name);
      }
    };
    readOn();
  }
  for (const [name, count] of Object.entries(pieces)) start(name, count);
  return {
    start,
    /** What was read in the current pass. */
    first: () => read.splice(0),
    /** What is read in the next pass, after other work of this length. */
    async pass(otherWorkMs = 0): Promise<string[]> {
      now += otherWorkMs;
      await nextPass();
      return read.splice(0);
    },
  };
}

describe('The time for reading responses', () => {
  it('is enough to read all quick pieces in one pass', () => {
    const { first } = startReading({ a: 10, b: 9 }, 0.1);
    expect(first()).toEqual([...Array(10).fill('a'), ...Array(9).fill('b')]);
  });

  it('ends after 2 ms, and reading continues in the next pass', async () => {
    const { first, pass } = startReading({ a: 5 }, 1);
    expect(first()).toHaveLength(2);
    expect(await pass()).toHaveLength(2);
    expect(await pass()).toHaveLength(1);
    expect(await pass()).toEqual([]);
  });

  it.each([
    [18, 5],
    [38, 10],
    [100, 10],
  ])('is a quarter of a pass with %d ms of other work, at most 10 ms', async (otherWorkMs, pieces) => {
    const { first, pass } = startReading({ a: 100 }, 1);
    first();
    expect(await pass(otherWorkMs)).toHaveLength(pieces);
  });

  it('is divided among waiting connections, and a connection that arrives later waits for its turn', async () => {
    const { first, pass, start } = startReading({ slow: 100, quick: 1, other: 100 }, 1);
    expect(first()).toEqual(['slow', 'slow']);
    expect(await pass()).toEqual(['slow', 'quick']);
    start('late', 1);
    expect(first()).toEqual([]);
    expect(await pass()).toEqual(['other', 'slow']);
    expect(await pass()).toEqual(['late', 'other']);
  });

  it('is divided among owners first, however many connections an owner has', async () => {
    const { first, pass } = startReading({ h1: 9, h2: 9, h3: 9, h4: 9, victim: 3 }, 1);
    expect(first()).toEqual(['h1', 'h1']);
    expect(await pass()).toEqual(['h1', 'victim']);
    expect(await pass()).toEqual(['h2', 'victim']);
    expect(await pass()).toEqual(['h3', 'victim']);
    expect(await pass()).toEqual(['h4', 'h1']);
  });

  it('lets a connection read quick pieces for 0.25 ms before the next connection reads', async () => {
    const { first, pass } = startReading({ a: 50, b: 20 }, 0.1);
    expect(first()).toHaveLength(20);
    expect((await pass()).slice(0, 9).join('')).toBe('aaabbbaaa');
  });
});
