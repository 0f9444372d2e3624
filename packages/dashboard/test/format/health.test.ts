import { expect, test } from 'vitest';
import { healthOf } from '../../src/format/health.ts';

const NOW = Date.parse('2031-03-01T00:00:00.000Z');
const LATER = '2031-03-01T00:05:00.000Z';
const DUE = '2031-03-01T00:00:00.000Z';

test.each([
  ['active', true, 0, null, 'nothing is due'],
  ['active', true, 0, DUE, 'a first attempt is due now'],
  ['active', true, 0, '2031-02-28T23:59:59.999Z', 'an attempt is overdue'],
  ['retrying', true, 0, LATER, 'a retry waits'],
  ['failing', true, 1, null, 'a delivery failed permanently'],
  ['failing', true, 4, LATER, 'one failed permanently and another is retried'],
  ['paused', false, 0, null, 'somebody paused it'],
  ['paused', false, 4, LATER, 'somebody paused it before the service disabled it'],
  ['auto-disabled', false, 5, null, 'the service disabled it'],
] as const)(
  'an endpoint is %s (active: %s, failures: %i, due: %s): %s',
  (health, active, failures, nextDueAt, _why) => {
    expect(healthOf({ active, consecutiveFailures: failures, nextDueAt }, NOW)).toBe(health);
  },
);

test('nothing counts as a retry while the time is unknown', () => {
  expect(healthOf({ active: true, consecutiveFailures: 0, nextDueAt: LATER }, 0)).toBe('active');
});
