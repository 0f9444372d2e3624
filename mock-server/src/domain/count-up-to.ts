/** Returns how many of the sizes, added in order, reach `max`. If their sum is below `max`, returns their number. */
export function countUpTo(max: number, sizes: readonly number[]): number {
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    total += size;
    if (total >= max) return index + 1;
  }
  return sizes.length;
}
