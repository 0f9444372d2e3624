/** Checks an option that is a whole number of 31 bits, from 1. Throws `RangeError`: `NaN`, `Infinity` or text would switch a bound off. */
export function checkWhole(name: string, value: number): void {
  if ((value | 0) !== value || value < 1) throw new RangeError(`${name} is no whole number from 1`);
}
