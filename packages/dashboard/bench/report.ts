/** A measured value with its budget: `value` must not exceed `bound`. */
interface Measured {
  what: string;
  value: number;
  bound: number;
  unit: string;
}

/** Prints each measured budget, and counts the missed budgets. */
export interface Report {
  /** Prints the line of a budget immediately, so that an interrupted run still shows its results. */
  push(measured: Measured): void;
  /** Returns how many of the measured values are above their bounds. */
  missed(): number;
}

export function createReport(): Report {
  let missed = 0;
  return {
    push({ what, value, bound, unit }) {
      const isKept = value <= bound;
      if (!isKept) missed++;
      console.log(`${isKept ? 'kept  ' : 'MISSED'}  ${what}: ${round(value)} ${unit} (at most ${bound})`);
    },
    missed: () => missed,
  };
}

const round = (value: number) => (Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Math.round(value));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
