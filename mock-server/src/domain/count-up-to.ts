/**
 * Adds up the sizes, beginning with the first, and returns how many sizes are needed to reach `max`. If the sum of all
 * sizes is less than `max`, returns the number of all sizes.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
