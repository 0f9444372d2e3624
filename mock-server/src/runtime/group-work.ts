/** Works on a group of items. Returns one result for each item, in the order of the items. */
export type GroupWork<Item, Result> = (group: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> extends Omit<PromiseWithResolvers<Result>, 'promise'> {
  item: Item;
  work: GroupWork<Item, Result>;
}

/**
 * Combines items into groups. While a group is being worked on, new items with the same key wait for the next group. If
 * a group fails, the work runs again for each item alone, so that one bad item does not make the other items fail.
 *
 * @param sizeOf - How many of the waiting items form the next group. Must return at least 1.
 * @param failsForAll - Returns whether an error concerns all items. If so, the whole group fails without a second run.
 */
export function groupWork<Item, Result>(
  sizeOf: (waiting: readonly Item[]) => number,
  failsForAll: (error: unknown) => boolean,
) {
  const waitingByKey = new Map<string, Waiting<Item, Result>[]>();

  async function workAll(key: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) await workOn(waiting.splice(0, sizeOf(waiting.map(({ item }) => item))));
    waitingByKey.delete(key);
  }

  async function workOn(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const [first, ...others] = group;
    if (!first) return;
    try {
      const results = await first.work(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (others.length > 0 && !failsForAll(error)) for (const each of group) await workOn([each]);
      else for (const { reject } of group) reject(error);
    }
  }

  /** @param work - Must be equivalent for all items with the same key: a group uses the `work` of its first item. */
  return (key: string, item: Item, work: GroupWork<Item, Result>): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const own = { item, work, resolve, reject };
    const waiting = waitingByKey.get(key);
    if (waiting) waiting.push(own);
    else {
      const begun = [own];
      waitingByKey.set(key, begun);
      void workAll(key, begun);
    }
    return promise;
  };
}
