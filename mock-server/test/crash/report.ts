/** What a run says at its end: figures under their names. */
export type Figures = Readonly<Record<string, number | string>>;

/**
 * Prints the figures, and what of them must not be, if anything; the process then ends with 1.
 *
 * @param problems - In words.
 */
export function report(figures: Figures, problems: readonly string[]): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures))
    console.log(`  ${name.padEnd(width)}  ${value.toLocaleString('en')}`);
  const shown = problems.slice(0, 10);
  console.log(
    problems.length === 0 ? '\n  Nothing was lost, and everything adds up.' : `\n  WRONG:\n  - ${shown.join('\n  - ')}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
