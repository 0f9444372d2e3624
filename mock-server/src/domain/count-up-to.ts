/** Returns how many sizes must be added, in order, to reach `max`, or the number of sizes if their total is lower. */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
