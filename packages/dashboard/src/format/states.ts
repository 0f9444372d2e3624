/** The states, in the server's order, with the words that the page shows. */
export const STATES = [
  ['new', 'new'],
  ['active', 'active'],
  ['at_risk', 'at risk'],
  ['dormant', 'dormant'],
  ['churned', 'churned'],
] as const;

/** Returns the word for a state. Null is the state of a profile that was never evaluated. */
export const stateWord = (state: string | null): string =>
  STATES.find(([value]) => value === state)?.[1] ?? 'not evaluated';
