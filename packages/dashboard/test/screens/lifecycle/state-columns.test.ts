import { expect, test } from 'vitest';
import { stateColumns } from '../../../src/screens/lifecycle/state-columns.ts';

const states = (active: number, churned: number) => ({
  states: { new: 0, active, at_risk: 0, dormant: 0, churned },
});

test('column heights are proportional to the largest, and states without profiles have no column part', () => {
  expect(stateColumns([states(10, 0), states(15, 5)], 100)).toEqual([
    [{ state: 'active', y: 50, height: 50 }],
    [
      { state: 'active', y: 25, height: 75 },
      { state: 'churned', y: 0, height: 25 },
    ],
  ]);
  expect(stateColumns([states(0, 0)], 100)).toEqual([[]]);
});
