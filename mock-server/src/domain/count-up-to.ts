/**
 * Returns how many of the first sizes together reach a sum of at least `max`. If all sizes together are less, returns
 * the number of all sizes.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
