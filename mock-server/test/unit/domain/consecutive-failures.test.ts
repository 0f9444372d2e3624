import { describe, expect, it } from 'vitest';
import { countFailures, type EndedStatus, failuresAfterActivation } from '../../../src/domain/consecutive-failures.ts';

const fails = (count: number) => new Array<EndedStatus>(count).fill('failed');

describe('States and transitions: consecutive failures', () => {
  it.each<[string, number, boolean, EndedStatus[], number, boolean]>([
    ['no delivery ended', 3, true, [], 3, false],
    ['a failure adds one', 3, true, ['failed'], 4, false],
    ['the fifth failure disables the endpoint', 4, true, ['failed'], 5, true],
    ['five failures at once disable the endpoint', 0, true, fails(5), 5, true],
    ['four failures at once do not disable it', 0, true, fails(4), 4, false],
    ['a success resets the count', 4, true, ['success'], 0, false],
    ['a success between failures resets the count', 3, true, ['failed', 'success', 'failed'], 1, false],
    ['a success after the fifth failure comes too late', 4, true, ['failed', 'success'], 0, true],
    ['an inactive endpoint is not disabled again', 4, false, ['failed'], 5, false],
  ])('%s', (_name, before, active, ended, after, disables) => {
    expect(countFailures({ consecutiveFailures: before, active }, ended)).toEqual({
      consecutiveFailures: after,
      disables,
    });
  });

  it('only activating an inactive endpoint resets the count', () => {
    expect(failuresAfterActivation({ consecutiveFailures: 5, active: false })).toBe(0);
    expect(failuresAfterActivation({ consecutiveFailures: 4, active: true })).toBe(4);
  });
});
