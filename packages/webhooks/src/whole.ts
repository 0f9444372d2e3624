/** Throws `RangeError` if an option is not a positive integer of 31 bits. `NaN`, `Infinity` or text would switch a limit off. */
export function checkWhole(name: string, value: number): void {
  if ((value | 0) !== value || value < 1) throw new RangeError(`${name} must be a positive integer`);
}
