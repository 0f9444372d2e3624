import { describe, expect, test, vi } from 'vitest';
import { groupWork } from '../../../src/runtime/group-work.ts';

/** Groups that the test ends. The result of an item is the item in capitals. */
function startGroups(failsForAll = false) {
  const groups: (PromiseWithResolvers<void> & { items: readonly string[] })[] = [];
  const add = groupWork<string, string>(
    (waiting) => Math.min(waiting.length, 3),
    () => failsForAll,
  );
  const work = async (items: readonly string[]) => {
    const group = { ...Promise.withResolvers<void>(), items };
    groups.push(group);
    await group.promise;
    if (items.includes('bad')) throw new Error(`refused: ${items}`);
    return items.map((item) => item.toUpperCase());
  };
  return {
    add: (item: string, key = 'key') => add(key, item, work),
    items: () => groups.map(({ items }) => items),
    /** Ends a group, counted from 1, as soon as the group has begun. */
    async end(number: number): Promise<void> {
      await vi.waitFor(() => expect(groups.length).toBeGreaterThanOrEqual(number));
      groups[number - 1]?.resolve();
    },
  };
}

describe('Groups of work', () => {
  test('consist of the items that arrived while the group before was under way, up to the limit', async () => {
    const { add, items, end } = startGroups();
    const results = ['a', 'b', 'c', 'd', 'e'].map((item) => add(item));
    for (const number of [1, 2, 3]) await end(number);
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(items()).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    const later = add('f');
    await end(4);
    expect(await later).toBe('F');
  });

  test('of other keys do not wait', async () => {
    const { add, items, end } = startGroups();
    void add('a', 'slow');
    const other = add('b', 'quick');
    await end(2);
    expect(await other).toBe('B');
    expect(items()).toEqual([['a'], ['b']]);
  });

  test('that fail are tried again item by item, so only the item at fault fails', async () => {
    const { add, items, end } = startGroups();
    const results = Promise.allSettled(['a', 'b', 'bad', 'c'].map((item) => add(item)));
    for (const number of [1, 2, 3, 4, 5]) await end(number);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(items()).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
  });

  test('fail as a whole, once, if the error does not depend on the items', async () => {
    const { add, items, end } = startGroups(true);
    const results = Promise.allSettled(['a', 'b', 'bad'].map((item) => add(item)));
    for (const number of [1, 2]) await end(number);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(items()).toEqual([['a'], ['b', 'bad']]);
  });
});
