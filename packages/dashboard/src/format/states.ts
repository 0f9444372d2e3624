/** The words for the states, in the server's order. */
export const STATES = [
  ['new', 'new'],
  ['active', 'active'],
  ['at_risk', 'at risk'],
  ['dormant', 'dormant'],
  ['churned', 'churned'],
] as const;

/** Returns the word for a state. The state of a profile that was never evaluated is null. */
export const stateWord = (state: string | null): string =>
  STATES.find(([value]) => value === state)?.[1] ?? 'not evaluated';
