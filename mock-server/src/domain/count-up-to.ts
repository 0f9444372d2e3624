/**
 * Returns how many sizes, counted from the first, are enough for a sum of at least `max`. If the sum of all sizes is
 * less than `max`, returns the number of all sizes.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
