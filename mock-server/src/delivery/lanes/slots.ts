/** One holder may have up to this many times the free slots. */
const SHARE_OF_FREE = 2;
/** The share of all slots that is reserved for holders that have none. */
const KEPT_SHARE = 1 / 16;

/**
 * Slots that several holders share. The limit of each holder follows the dynamic-threshold scheme for shared buffers
 * (Choudhury and Hahne, 1998). A holder that has fewer than twice the free slots may take another. One holder alone gets two thirds of all slots. Two busy
 * holders get two fifths each. A newcomer still finds some free. If many newcomers arrive and no slots are returned,
 * few are left: the last sixteenth goes to holders that have none, one slot each.
 */
export function createSlots(total: number) {
  const held = new Map<string, number>();
  const kept = Math.floor(total * KEPT_SHARE);
  let used = 0;

  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const quotaNow = () => {
    const free = total - used;
    return free > kept ? SHARE_OF_FREE * free : Math.min(free, 1);
  };

  return {
    total,
    used: () => used,
    heldBy,
    /** How many slots one holder may have at the moment. */
    quotaNow,
    mayTake: (holder: string) => heldBy(holder) < quotaNow(),
    take(holder: string): void {
      held.set(holder, heldBy(holder) + 1);
      used++;
    },
    giveBack(holder: string): void {
      const left = heldBy(holder) - 1;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
      used--;
    },
  };
}
