import { UsageError } from './errors.ts';
import type { CallOptions } from './options.ts';

/** Names that are known, for example of options. Only the keys matter. The values are short, to keep the package small. */
export type Names<Name extends string = string> = Readonly<Record<Name, 1>>;

/** The options of each call. */
export const CALL_OPTIONS: Names<keyof CallOptions> = {
  signal: 1,
  timeoutMs: 1,
  deadlineMs: 1,
  maxRetries: 1,
  headers: 1,
};

/**
 * Throws {@link UsageError} if `given` has a name that is not `known`. Without types, nothing else would notice the mistake.
 * The message names the known name that is most like it.
 */
export function checkNames(given: object | undefined, known: Names, kind: 'option' | 'parameter'): void {
  const names = Object.keys(known);
  for (const name of Object.keys(given ?? {})) {
    if (names.includes(name)) continue;
    const [likest] = names
      .filter((each) => likeness(name, each) > 0.4)
      .sort((a, b) => likeness(name, b) - likeness(name, a));
    const isMisplaced = kind === 'parameter' && name in CALL_OPTIONS;
    const hint = isMisplaced
      ? 'give it in the argument after the parameters'
      : `did you mean ${likest ?? names.join(', ')}?`;
    throw new UsageError(`Unknown ${kind} ${name}: ${hint}`);
  }
}

/** The part of a name's letter pairs that a known name has, too. Of two names with the same part, the shorter one is more like it. */
function likeness(name: string, known: string): number {
  const pairs = [...name].filter((_, at) => known.toLowerCase().includes(name.slice(at, at + 2).toLowerCase()));
  return pairs.length / name.length - known.length / 1000;
}
