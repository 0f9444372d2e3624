const MULTIPLE_OF_FREE = 2;
/** The fraction of all slots that is reserved for holders that have no slot yet. */
const KEPT_PART = 1 / 16;

export type Slots = ReturnType<typeof createSlots>;

/**
 * Slots that several holders (workspaces) share, by the dynamic-threshold scheme for shared buffers (Choudhury and
 * Hahne, 1998): a holder may take another slot while it has fewer than twice as many slots as are free. So one busy
 * holder gets two thirds of all slots, two busy holders get two fifths each, and a new holder finds free slots.
 */
export function createSlots(total: number) {
  const held = new Map<string, number>();
  const kept = Math.floor(total * KEPT_PART);
  let used = 0;

  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const quotaNow = () => {
    const free = total - used;
    return free > kept ? MULTIPLE_OF_FREE * free : Math.min(free, 1);
  };

  return {
    total,
    used: () => used,
    heldBy,
    quotaNow,
    mayTake: (holder: string) => heldBy(holder) < quotaNow(),
    take(holder: string): void {
      held.set(holder, heldBy(holder) + 1);
      used++;
    },
    free(holder: string): void {
      const left = heldBy(holder) - 1;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
      used--;
    },
  };
}
