import { check } from './check.ts';
import { UsageError } from './errors.ts';
import type { CallOptions } from './options.ts';

/** A set of known names, such as the names of options. Only the keys matter. Short values keep the package small. */
export type Names<Name extends string = string> = Readonly<Record<Name, 1>>;

export const CALL_OPTIONS: Names<keyof CallOptions> = {
  signal: 1,
  timeoutMs: 1,
  deadlineMs: 1,
  maxRetries: 1,
  headers: 1,
};

/**
 * Throws {@link UsageError} if `given` has a name that is not `known`. In untyped code, nothing else would detect the
 * unknown name. If the name is a call option, the message says where to pass it. Otherwise, the message suggests the
 * three most similar names.
 */
export function checkNames(given: object | undefined, known: Names, kind: string): void {
  for (const name in given) {
    if (known[name] === 1) continue;
    // If `given` is a string or an array, the first name is `0`.
    check(name !== '0', 'Pass an object');
    const hint =
      name in CALL_OPTIONS
        ? 'pass it after the parameters'
        : `did you mean ${bySimilarity(name, Object.keys(known)).slice(0, 3).join(', ')}?`;
    throw new UsageError(`Unknown ${kind} ${name}: ${hint}`);
  }
}

/** Sorts `names` by the number of letter pairs that each shares with `name`, highest number first. */
function bySimilarity(name: string, names: string[]): string[] {
  const pairsIn = (other: string) =>
    [...name].filter((_, at) => at && other.toLowerCase().includes(name.slice(at - 1, at + 1).toLowerCase())).length;
  return names.sort((a, b) => pairsIn(b) - pairsIn(a));
}
