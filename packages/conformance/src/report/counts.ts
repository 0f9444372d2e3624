import type { Outcome, Result } from '../run.ts';
import type { Statement } from '../statement.ts';

export type Counts = Record<Statement['source'], Record<Outcome, number>>;

export function countsOf(results: readonly Result[]): Counts {
  const none = () => ({ pass: 0, fail: 0, differs: 0, 'not testable': 0 });
  const counts: Counts = { document: none(), decision: none() };
  for (const { statement, outcome } of results) counts[statement.source][outcome]++;
  return counts;
}

export const conforms = (results: readonly Result[]): boolean => results.every(({ outcome }) => outcome !== 'fail');
