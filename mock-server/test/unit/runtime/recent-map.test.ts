import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../../src/runtime/recent-map.ts';

describe('A map of recent entries', () => {
  it('keeps as many entries as it may', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
  });

  it('forgets only the entry that was not used for the longest time', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });
});
