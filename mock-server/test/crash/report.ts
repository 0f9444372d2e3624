/** What a run reports at its end: figures by name. */
export type Figures = Readonly<Record<string, number | string>>;

/**
 * Prints the figures and the problems, if any. With problems the process exits with code 1.
 *
 * @param problems - The problems, as sentences.
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
