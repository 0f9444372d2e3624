/** The known word that a mistyped one resembles most. Undefined if it resembles none: a third of the letters may differ. */
export function closest(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, distance: distanceOf(given, word) }))
    .filter(({ distance }) => distance <= Math.ceil(given.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** How many letters to add, remove or replace (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = Number(row[at]) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, Number(row[at + 1]) + 1, Number(next[at]) + 1));
    }
    row = next;
  }
  return Number(row.at(-1));
}
