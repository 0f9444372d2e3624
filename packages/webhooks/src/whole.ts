/**
 * Throws `RangeError` if an option is not an integer from `min` to 2^31 − 1, because `NaN`, `Infinity` or a string
 * would turn a limit off.
 */
export function checkWhole(name: string, value: number, min = 1): void {
  if ((value | 0) !== value || value < min) throw new RangeError(`${name} must be an integer of at least ${min}`);
}
