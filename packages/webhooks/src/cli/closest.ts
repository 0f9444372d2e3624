// The build bundles `leven` into the command, so that the package does not depend on it.
import { closestMatch } from 'leven';

/**
 * Returns the known word that is most similar to a mistyped word. Returns undefined if more than a third of the letters
 * differ from every known word.
 */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
