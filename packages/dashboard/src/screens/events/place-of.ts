/** Where JSON breaks off, by line and column: engines say the position, or nothing. */
export function placeOf(error: SyntaxError, text: string): string {
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  const at = Number.isNaN(position) ? text.length : position;
  const before = text.slice(0, at).split('\n');
  return `This is not JSON: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}
