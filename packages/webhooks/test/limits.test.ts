import { createWebhooks, memoryDedupe, verifyWebhook } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { NOW_MS, SECRET, signedMessage } from './support/message.ts';

const NO_BOUNDS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32, '32' as never, null as never];

describe.each(['maxSignatures', 'maxBodyBytes', 'toleranceSeconds'] as const)('%s', (name) => {
  it.each(NO_BOUNDS)('may not be %j, and the error names it', (value) => {
    const expected = new RangeError(`${name} must be an integer of at least 1`);
    expect(() => createWebhooks({ secrets: SECRET, [name]: value })).toThrow(expected);
    expect(() => verifyWebhook({ ...signedMessage(), secrets: SECRET, now: NOW_MS, [name]: value })).toThrow(expected);
  });

  it.each([1000, 2 ** 31 - 1, undefined])('may be %j', (value) => {
    expect(createWebhooks({ secrets: SECRET, now: NOW_MS, [name]: value }).check(signedMessage()).ok).toBe(true);
  });
});

describe('the bounds of deduplication', () => {
  it.each(NO_BOUNDS)('may not be %j', (value) => {
    const dedupe = memoryDedupe();
    for (const name of ['dedupeLifetimeSeconds', 'dedupeLeaseSeconds']) {
      expect(() => createWebhooks({ secrets: SECRET, dedupe, [name]: value })).toThrow(RangeError);
    }
    expect(() => memoryDedupe({ maxEntries: value })).toThrow(RangeError);
  });
});
