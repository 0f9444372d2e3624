import { describe, expect, it } from 'vitest';
import { createReadingTime } from '../../../src/network/parsing-time.ts';

const MAX_MS = 4;
const turn = () => new Promise(setImmediate);

/**
 * Connections with these numbers of pieces to read, each taking `pieceMs`. `read` lists whose pieces were read, in
 * order.
 */
function startReading(pieces: Record<string, number>, pieceMs: number) {
  let now = 0;
  const read: string[] = [];
  const time = createReadingTime(MAX_MS, () => now);
  for (const [name, count] of Object.entries(pieces)) {
    let left = count;
    const readOn = () => {
      while (left > 0 && time.hasTime(readOn)) {
        left--;
        now += pieceMs;
        read.push(name);
      }
    };
    readOn();
  }
  async function newTurn(): Promise<string[]> {
    await turn();
    return read.splice(0);
  }
  return { read, newTurn };
}

describe('The time for reading answers', () => {
  it('is enough to read all quick pieces in one turn', () => {
    const { read } = startReading({ a: 10, b: 10 }, 0.1);
    expect(read).toEqual([...Array(10).fill('a'), ...Array(10).fill('b')]);
  });

  it('ends in each turn, and reading continues in the next', async () => {
    const { read, newTurn } = startReading({ a: 10 }, 1);
    expect(read.splice(0)).toHaveLength(4);
    expect(await newTurn()).toHaveLength(4);
    expect(await newTurn()).toHaveLength(2);
    expect(await newTurn()).toEqual([]);
  });

  it('is shared by the waiting connections, one piece each', async () => {
    const { read, newTurn } = startReading({ slow: 100, quick: 1, other: 100 }, 1);
    expect(read.splice(0)).toEqual(['slow', 'slow', 'slow', 'slow']);
    // The last in line gets the rest of the turn.
    expect(await newTurn()).toEqual(['slow', 'quick', 'other', 'other']);
    expect(await newTurn()).toEqual(['slow', 'other', 'other', 'other']);
  });
});
