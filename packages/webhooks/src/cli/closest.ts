// The build puts `leven` into the command, so that the package has no further dependency.
import { closestMatch } from 'leven';

/** The known word that a mistyped one resembles most. Undefined if it resembles none: a third of the letters may differ. */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
