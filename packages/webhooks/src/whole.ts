/**
 * Throws `RangeError` if an option is not an integer of 31 bits and at least `min`. `NaN`, `Infinity` or a string would
 * switch a limit off.
 */
export function checkWhole(name: string, value: number, min = 1): void {
  if ((value | 0) !== value || value < min) throw new RangeError(`${name} must be an integer of at least ${min}`);
}
