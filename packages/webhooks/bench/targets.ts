/** A figure that has a target. */
export interface Figure {
  figure: string;
  value: number;
  atLeast?: number;
  atMost?: number;
}

/** Prints figures with their targets. */
export function printTargets(figures: readonly Figure[]): void {
  console.table(
    figures.map(({ figure, value, atLeast, atMost }) => ({
      figure,
      target: atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`,
      measured: Number(value.toFixed(2)),
      met: value >= (atLeast ?? 0) && value <= (atMost ?? Number.POSITIVE_INFINITY),
    })),
  );
}
