/** A budget, what was measured, and whether it is kept. */
export interface Measured {
  what: string;
  value: number;
  bound: number;
  unit: string;
}

/** Prints a line for each budget; returns how many are missed. */
export function report(results: readonly Measured[]): number {
  let missed = 0;
  for (const { what, value, bound, unit } of results) {
    const isKept = value <= bound;
    if (!isKept) missed++;
    console.log(`${isKept ? 'kept  ' : 'MISSED'}  ${what}: ${round(value)} ${unit} (at most ${bound})`);
  }
  return missed;
}

const round = (value: number) => (Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Math.round(value));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
