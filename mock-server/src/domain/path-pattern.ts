type Part = { kind: 'any' | 'segment' } | { kind: 'character'; character: string };

/**
 * Whether a path matches a pattern. `*` matches any characters, including slashes. `{name}` matches one segment.
 *
 * Keeps all places in the pattern where the match can continue. A regular expression would try them one after another,
 * which can take minutes.
 */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const parts = partsOf(pattern);
  let reached: number[] = [];
  reach(reached, 0, parts);
  for (const character of path) {
    const next: number[] = [];
    for (const index of reached) {
      const part = parts[index];
      if (part === undefined) continue;
      if (part.kind === 'any') reach(next, index, parts);
      else if (part.kind === 'character' ? part.character === character : character !== '/') {
        if (part.kind === 'segment') reach(next, index, parts);
        reach(next, index + 1, parts);
      }
    }
    if (next.length === 0) return false;
    reached = next;
  }
  return reached.at(-1) === parts.length;
}

/**
 * Adds a place to an ascending list. At a star, also adds the next place, because a star may match an empty string.
 * A star makes all earlier places unnecessary: whatever the rest of the path matches from an earlier place, it also
 * matches from the star.
 */
function reach(places: number[], index: number, parts: readonly Part[]): void {
  if (index <= (places.at(-1) ?? -1)) return;
  if (parts[index]?.kind === 'any') places.splice(0, places.length, index, index + 1);
  else places.push(index);
}

const partsOf = (pattern: string): Part[] =>
  (pattern.match(/\*+|\{\w+\}|./gsu) ?? []).map((text) => {
    if (text.startsWith('*')) return { kind: 'any' };
    return text.length > 2 && text.startsWith('{') ? { kind: 'segment' } : { kind: 'character', character: text };
  });
