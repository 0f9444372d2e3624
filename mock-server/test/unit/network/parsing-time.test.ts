import { describe, expect, it, vi } from 'vitest';
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

  it('goes first to the owner that has used the least of it', async () => {
    const { waitFor, pass } = startReading({}, 0);
    for (const name of ['h1', 'h2', 'h3', 'victim']) waitFor(name, 5);
    expect(await pass()).toEqual(['h1']);
    expect(await pass()).toEqual(['victim']);
    expect(await pass()).toEqual(['h2']);
  });

  it('is paid back by owners with long reads, while other owners may read', async () => {
    const { waitFor, pass } = startReading({}, 0);
    waitFor('h1', 100);
    waitFor('h2', 100);
    expect(await pass()).toEqual(['h1']);
    waitFor('victim', 1);
    expect(await pass(50)).toEqual(['victim']);
    // The first read has exceeded the limit by 90 ms. So `h2` waits until other work has taken long enough.
    expect(await pass(200)).toEqual([]);
    await vi.waitFor(async () => expect(await pass(100)).toEqual(['h2']));
  });

  it.each([
    ['is paid back by an owner whose reads take 16 ms, even beside an owner with far longer reads', 16, []],
    ['does not have to be paid back by an owner whose reads take 14 ms', 14, ['known']],
  ])('%s', async (_title, ms, read) => {
    const { waitFor, pass } = startReading({}, 0);
    waitFor('known', ms);
    expect(await pass()).toEqual(['known']);
    waitFor('h1', 200);
    expect(await pass(200)).toEqual(['h1']);
    for (const name of ['h2', 'known']) waitFor(name, ms);
    expect(await pass()).toEqual(read);
  });

  it('is not used up for slow owners by the reads of owners that are not slow', async () => {
    const { waitFor, pass } = startReading({}, 0);
    waitFor('h1', 16);
    expect(await pass()).toEqual(['h1']);
    for (const other of ['a', 'b']) {
      waitFor(other, 12);
      expect(await pass(100)).toEqual([other]);
    }
    waitFor('h2', 1);
    expect(await pass()).toEqual(['h2']);
  });

  it('does not have to be paid back by owners whose reads are short, however many they are', async () => {
    const { waitFor, pass } = startReading({}, 0);
    for (let round = 0; round < 30; round++) {
      waitFor('victim1', 9);
      await pass();
    }
    waitFor('h1', 200);
    expect(await pass(200)).toEqual(['h1']);
    for (const name of ['h2', 'victim2']) waitFor(name, 9);
    expect(await pass()).toEqual(['victim2']);
  });

  it('counts less and less, so an owner that has waited long is like any other owner', async () => {
    const { waitFor, pass } = startReading({}, 0);
    waitFor('h1', 100);
    expect(await pass()).toEqual(['h1']);
    waitFor('h2', 1);
    expect(await pass(60_000)).toEqual(['h2']);
  });
});
