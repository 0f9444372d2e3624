/** Counts how many sizes, added in order, reach `max`. If they do not reach it, returns the number of all sizes. */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
