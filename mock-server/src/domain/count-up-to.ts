/**
 * Returns how many of the first sizes have a sum of at least `max`, or the number of all sizes if their sum is less.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
