/**
 * Returns how many of these sizes to take until their sum reaches `max`, including the size that reaches `max`. If the
 * sum stays lower, takes all.
 */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
