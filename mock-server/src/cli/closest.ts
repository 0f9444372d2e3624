import { closestMatch } from 'leven';

/**
 * Finds the known word that is most similar to a mistyped word. `undefined` if more than a third of the letters differ
 * from every known word.
 */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
