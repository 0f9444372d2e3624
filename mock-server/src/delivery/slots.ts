/** How many times what is free one holder may have. */
const SHARE_OF_FREE = 2;
/** What of all slots is kept for holders that have none. */
const KEPT_SHARE = 1 / 16;

/**
 * Slots that several holders share, by the dynamic threshold of shared buffers (Choudhury and Hahne, 1998): whoever has
 * fewer than twice what is free may take another. One alone gets two thirds of them, two that want all get two fifths
 * each, and whoever comes next finds some free. Where many come one after another and give nothing back, what is left gets
 * small: the last sixteenth goes to whoever has none, one to each.
 */
export function createSlots(total: number) {
  const held = new Map<string, number>();
  const kept = Math.floor(total * KEPT_SHARE);
  let used = 0;

  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const shareNow = () => {
    const free = total - used;
    return free > kept ? SHARE_OF_FREE * free : Math.min(free, 1);
  };

  return {
    total,
    used: () => used,
    heldBy,
    /** What one holder may have while the others have what they have now. */
    shareNow,
    mayTake: (holder: string) => heldBy(holder) < shareNow(),
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
