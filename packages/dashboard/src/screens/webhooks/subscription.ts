import { matchesEventPattern } from '@svc/contract';

/** A pattern (for all types, a group of types, or one type) and the types that the pattern matches now. */
export interface Subscribable {
  pattern: string;
  matches: readonly string[];
}

/** Returns the patterns that the service accepts for these types: `*`, a glob for each prefix, and each type. */
export function subscribables(types: readonly string[]): Subscribable[] {
  const prefixes = new Set(
    types.flatMap((type) => {
      const parts = type.split('.');
      return parts.slice(0, -1).map((_part, index) => parts.slice(0, index + 1).join('.'));
    }),
  );
  const patterns = ['*', ...[...prefixes].sort().map((prefix) => `${prefix}.*`), ...types];
  return patterns.map((pattern) => ({ pattern, matches: types.filter((type) => matchesEventPattern(pattern, type)) }));
}

export const covers = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => matchesEventPattern(pattern, type));
