import type { ControlEvaluation, ProfileState } from '@svc/contract/control/types';
import { STATES } from '../../format/states.ts';

export interface StatePart {
  state: ProfileState;
  y: number;
  height: number;
}

/**
 * Returns a column for each evaluation. A column has a part for each state that has profiles. The column with the most
 * profiles has the given height.
 */
export function stateColumns(evaluations: readonly Pick<ControlEvaluation, 'states'>[], height: number): StatePart[][] {
  const totals = evaluations.map(({ states }) => STATES.reduce((sum, [state]) => sum + states[state], 0));
  const most = Math.max(1, ...totals);
  return evaluations.map(({ states }) => {
    let y = height;
    return STATES.flatMap(([state]) => {
      if (states[state] === 0) return [];
      const part = (states[state] / most) * height;
      y -= part;
      return [{ state, y, height: part }];
    });
  });
}
