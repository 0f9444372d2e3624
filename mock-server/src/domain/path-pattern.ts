/**
 * Whether a path matches a pattern. `*` matches any characters, including slashes. `{name}` matches one segment.
 *
 * Keeps track of all places in the pattern where the match can continue. A regular expression would try these places
 * one after another, which can take minutes.
 */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const parts = pattern.match(/\*+|\{\w+\}|./gsu) ?? [];
  /** At index `n`: whether the first `n` parts match the path so far. A star may match an empty string. */
  let reached = [true];
  for (const part of parts) reached.push(reached.at(-1) === true && part.startsWith('*'));
  for (const character of path) {
    const next = [false];
    parts.forEach((part, index) => {
      const isBefore = reached[index] === true;
      const isWithin = reached[index + 1] === true;
      if (part[0] === '*') next.push(isWithin || next[index] === true);
      else if (part.length > 2 && part[0] === '{') next.push(character !== '/' && (isBefore || isWithin));
      else next.push(isBefore && part === character);
    });
    if (!next.includes(true)) return false;
    reached = next;
  }
  return reached.at(-1) === true;
}
