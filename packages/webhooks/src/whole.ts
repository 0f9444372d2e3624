/** Checks an option that is a positive integer of 31 bits. Throws `RangeError`: `NaN`, `Infinity` or text would switch a bound off. */
export function checkWhole(name: string, value: number): void {
  if ((value | 0) !== value || value < 1) throw new RangeError(`${name} must be a positive integer`);
}
