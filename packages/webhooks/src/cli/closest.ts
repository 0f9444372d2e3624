// The build bundles `leven` into the command, so that the package does not depend on `leven`.
import { closestMatch } from 'leven';

/**
 * Returns the known word that is most similar to a mistyped word, or undefined if no known word is similar enough. At
 * most a third (rounded up) of the mistyped word's letters may differ.
 */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
