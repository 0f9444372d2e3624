import { RETRY_DELAYS_MS } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { type DeliveryFacts, explainDelivery } from '../../../src/domain/explain-delivery.ts';

const NOW = Date.parse('2031-03-01T00:00:00.000Z');
const MINUTE = 60_000;

const due: DeliveryFacts = {
  status: 'pending',
  attempt: 0,
  retryDelaysMs: RETRY_DELAYS_MS,
  nextAttemptAt: NOW,
  deliveredAt: null,
  error: null,
  endpoint: { active: true, consecutiveFailures: 0 },
  laneIsHeld: false,
  here: {
    takes: true,
    isInFlight: false,
    holdsLane: false,
    endpoint: { inFlight: 0, max: 16 },
    workspace: { inFlight: 0, max: 768 },
    node: { inFlight: 0, max: 384 },
  },
  clock: { now: NOW, frozen: false },
};
const retry: DeliveryFacts = { ...due, attempt: 2, error: 'HTTP 503', nextAttemptAt: NOW + 30 * MINUTE };
const inactive = { active: false, consecutiveFailures: 5 };

describe('The explanation of a delivery', () => {
  it.each<[string, DeliveryFacts, string, string]>([
    [
      'success',
      { ...due, status: 'success', attempt: 2, nextAttemptAt: null, deliveredAt: NOW },
      'delivered',
      'Attempt 2 succeeded at 2031-03-01T00:00:00.000Z. No further attempts.',
    ],
    [
      'failed',
      { ...due, status: 'failed', attempt: 11, nextAttemptAt: null, error: 'HTTP 503' },
      'attempts_used_up',
      'All 11 attempts failed, the last with "HTTP 503". No further attempts. Replay the delivery to send it again.',
    ],
    [
      'disabled from the start',
      { ...due, status: 'disabled', nextAttemptAt: null, endpoint: inactive },
      'endpoint_inactive',
      'The endpoint was inactive before the first attempt, so no request was made. Activate the endpoint to replay the delivery.',
    ],
    [
      'disabled before a retry, and its endpoint is active again',
      { ...due, status: 'disabled', attempt: 2, nextAttemptAt: null },
      'endpoint_inactive',
      'The endpoint was inactive when attempt 3 was due, so no request was made. The endpoint is active now: replay the delivery to send it again.',
    ],
    [
      'disabled, and its endpoint is deleted',
      { ...due, status: 'disabled', attempt: 1, nextAttemptAt: null, endpoint: undefined },
      'endpoint_deleted',
      'The endpoint is deleted. It was deleted or inactive when attempt 2 was due.',
    ],
    [
      'in flight',
      { ...retry, nextAttemptAt: NOW, laneIsHeld: true, here: { ...due.here, holdsLane: true, isInFlight: true } },
      'in_flight',
      'Attempt 3 of 11 is being made.',
    ],
    [
      'not due yet',
      retry,
      'scheduled',
      'Attempt 3 of 11 is due at 2031-03-01T00:30:00.000Z, in 30 min. Attempt 2 failed with "HTTP 503".',
    ],
    [
      'not due yet, by a millisecond',
      { ...retry, nextAttemptAt: NOW + 1 },
      'scheduled',
      'Attempt 3 of 11 is due at 2031-03-01T00:00:00.001Z, in 1 ms. Attempt 2 failed with "HTTP 503".',
    ],
    [
      'not due yet, and the clock is frozen',
      { ...retry, clock: { now: NOW, frozen: true } },
      'clock_frozen',
      'Attempt 3 of 11 is due at 2031-03-01T00:30:00.000Z, in 30 min. The clock is frozen, so the attempt waits until you move the clock. Attempt 2 failed with "HTTP 503".',
    ],
    [
      'due, and the clock is frozen: due attempts are still made',
      { ...due, clock: { now: NOW, frozen: true } },
      'waiting_for_its_turn',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; the endpoint is next in line. The attempt starts within a second if a slot is free.',
    ],
    [
      'its endpoint is paused',
      { ...retry, endpoint: inactive },
      'endpoint_inactive',
      'The endpoint is inactive. If nobody activates the endpoint, the delivery becomes disabled at 2031-03-01T00:30:00.000Z, when the next attempt is due.',
    ],
    [
      'its endpoint is deleted',
      { ...due, endpoint: undefined },
      'endpoint_deleted',
      'The endpoint was deleted: the delivery becomes disabled at any moment.',
    ],
    [
      'due, and another server holds the lane',
      { ...due, laneIsHeld: true, here: { ...due.here, takes: false } },
      'held_by_another_server',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; another server is responsible for the endpoint and will make the attempt. If that server is gone, the other servers notice within 13 s, and one of them takes over.',
    ],
    [
      'due, and this server makes no attempts',
      { ...due, here: { ...due.here, takes: false } },
      'not_delivering',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; this server makes no attempts, so the delivery waits for a server that makes attempts.',
    ],
    [
      'due, and its endpoint has no slot',
      { ...due, laneIsHeld: true, here: { ...due.here, holdsLane: true, endpoint: { inFlight: 1, max: 1 } } },
      'endpoint_busy',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; the endpoint already has the maximum number of attempts in flight (1).',
    ],
    [
      'due, and the server has no slot',
      { ...due, here: { ...due.here, node: { inFlight: 384, max: 384 }, workspace: { inFlight: 99, max: 0 } } },
      'server_busy',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; this server already has the maximum number of attempts in flight (384).',
    ],
    [
      'due, and its workspace has its share of slots',
      { ...due, here: { ...due.here, workspace: { inFlight: 256, max: 256 }, node: { inFlight: 256, max: 384 } } },
      'workspace_busy',
      'Attempt 1 of 11 has been due since 2031-03-01T00:00:00.000Z; the workspace already has 256 attempts in flight, and the remaining slots are for other workspaces.',
    ],
  ])('%s', (_what, facts, reason, sentence) => {
    expect(explainDelivery(facts)).toMatchObject({ reason, sentence });
  });

  it('reports how many attempts are left, which is none once the delivery has ended', () => {
    expect(explainDelivery(retry)).toMatchObject({ attemptsLeft: 9, laterDelaysMs: RETRY_DELAYS_MS.slice(2) });
    expect(explainDelivery({ ...due, status: 'success', attempt: 2 }).attemptsLeft).toBe(0);
  });

  it.each([
    { attempt: 1, said: 'Attempt 2 of 2 ', left: 1 },
    { attempt: 2, said: 'Attempt 3 of 3 ', left: 1 },
    { attempt: 4, said: 'Attempt 5 of 5 ', left: 1 },
  ])(
    'counts the attempt still due after $attempt attempts when the schedule is cut to two',
    ({ attempt, said, left }) => {
      const { sentence, attemptsLeft } = explainDelivery({ ...retry, attempt, retryDelaysMs: [60_000] });
      expect([sentence.slice(0, said.length), attemptsLeft]).toEqual([said, left]);
    },
  );

  it('says how many deliveries must fail in a row to disable the endpoint', () => {
    const count = (endpoint: DeliveryFacts['endpoint']) => explainDelivery({ ...due, endpoint }).failuresUntilDisabled;
    expect(count({ active: true, consecutiveFailures: 0 })).toBe(5);
    expect(count({ active: true, consecutiveFailures: 4 })).toBe(1);
    expect(count(inactive)).toBeNull();
    expect(count(undefined)).toBeNull();
  });
});
