import { describe, expect, it } from 'vitest';
import { transitionAfter } from '../../../src/domain/delivery-transition.ts';

describe('States and transitions: after an attempt', () => {
  it('a retry follows the tenth failure, and the eleventh failure ends the delivery', () => {
    expect(transitionAfter({ succeeded: false, number: 10, endedAt: 0 })).toEqual({
      status: 'pending',
      nextAttemptAt: 12 * 3_600_000,
    });
    expect(transitionAfter({ succeeded: false, number: 11, endedAt: 0 })).toEqual({ status: 'failed' });
  });

  it('a delivery succeeds if its eleventh attempt succeeds', () => {
    expect(transitionAfter({ succeeded: true, number: 11, endedAt: 7 })).toEqual({ status: 'success' });
  });
});
