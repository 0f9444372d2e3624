/**
 * Returns how many of the sizes, added in order, reach `max`. If the sum of all is lower, returns how many there are.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
