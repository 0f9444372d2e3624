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
    /** Waits for the time to do something that takes `ms`. */
    waitFor: (name: string, ms: number) =>
      time.wait(() => {
        now += ms;
        read.push(name);
      }, name[0]),
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

  it('is divided among waiting owners, and an owner that arrives later reads before owners that have read', async () => {
    const { first, pass, start } = startReading({ slow: 100, quick: 1, other: 100 }, 1);
    expect(first()).toEqual(['slow', 'slow']);
    expect(await pass()).toEqual(['slow', 'quick']);
    start('late', 1);
    expect(first()).toEqual([]);
    expect(await pass()).toEqual(['other', 'late']);
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

  it('goes to each owner in turn', async () => {
    const { waitFor, pass } = startReading({}, 0);
    for (const name of ['h1', 'h2', 'h3', 'victim']) waitFor(name, 5);
    expect(await pass()).toEqual(['h1']);
    expect(await pass()).toEqual(['victim']);
    expect(await pass()).toEqual(['h2']);
  });

  it('is not withheld from an owner that has used much of it, however many other owners begin to wait', async () => {
    const { waitFor, pass } = startReading({}, 0);
    for (let count = 0; count < 100; count++) {
      waitFor('busy', 5);
      expect(await pass()).toEqual(['busy']);
    }
    for (const name of ['1', '2', '3', '4', 'busy']) for (let count = 0; count < 5; count++) waitFor(name, 5);
    const read: string[] = [];
    for (let count = 0; count < 15; count++) read.push(...(await pass()));
    // The others may first use 10 ms each.
    expect(read.join(' ')).toBe('1 2 3 4 1 2 3 4 busy 1 2 3 4 busy 1');
  });

  it('goes at once to an owner that needs little of it, however long others have waited', async () => {
    const { waitFor, pass } = startReading({}, 0);
    for (const name of ['h1', 'i1', 'j1', 'k1']) for (let count = 0; count < 9; count++) waitFor(name, 5);
    for (let count = 0; count < 6; count++) await pass();
    for (let count = 0; count < 3; count++) {
      waitFor('victim', 1);
      expect([...(await pass()), ...(await pass())]).toContain('victim');
    }
  });
});
