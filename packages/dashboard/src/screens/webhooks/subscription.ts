import { matchesEventPattern } from '@svc/contract';

/** A pattern, and the types that it matches now. */
export interface Subscribable {
  pattern: string;
  matches: readonly string[];
}

/** Returns the patterns that the service accepts: `*`, a glob for each prefix, and each type. */
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
