/**
 * Adds up sizes in order until their sum is at least `max`, and returns how many sizes were added. If the sum of all
 * sizes is below `max`, returns the number of all sizes.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
