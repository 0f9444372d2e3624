import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '../src/index.ts';
import { waitBeforeRetry } from '../src/retry.ts';

const failure = new NetworkError('cut off', { neverArrived: false });

describe('the wait before a retry', () => {
  it('is a random part of 0.5 s, doubled each time, up to 8 s', () => {
    const longest = [1, 2, 3, 4, 5, 6, 20].map((attempts) => waitBeforeRetry(failure, attempts, () => 1));
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(waitBeforeRetry(failure, 3, () => 0.25)).toBe(500);
    expect(waitBeforeRetry(failure, 3, () => 0)).toBe(0);
  });

  it('is exactly what the response asks for, without jitter', () => {
    const refusal = new ApiError('later', { status: 503, code: 'UNAVAILABLE', requestId: null, retryAfterMs: 7000 });
    expect(waitBeforeRetry(refusal, 1, () => 0.5)).toBe(7000);
  });
});
