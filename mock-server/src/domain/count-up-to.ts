/**
 * Returns how many sizes, from the first one on, have a sum of at least `max`. If the sum of all sizes is less than
 * `max`, returns how many sizes there are.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
