/**
 * Returns a message with the position of the first error in a string that is not JSON. Searches for this position,
 * because JavaScript engines report it in different ways or not at all.
 */
export function placeOf(text: string): string {
  let [good, end] = [0, text.length];
  while (good < end) {
    const middle = Math.ceil((good + end) / 2);
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else end = middle - 1;
  }
  const before = text.slice(0, good).split('\n');
  return `This is not JSON: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}

/** Whether a string is JSON or the start of JSON. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    return /end of (?:JSON|data)|unterminated|EOF/i.test(message) || position === text.length;
  }
}

/** @throws SyntaxError that says where the first error is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(placeOf(text));
  }
}
