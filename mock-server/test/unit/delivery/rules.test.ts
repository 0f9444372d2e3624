import { describe, expect, it } from 'vitest';
import { createPaces } from '../../../src/delivery/lanes/pace.ts';
import { chooseDue } from '../../../src/delivery/lanes/turn-order.ts';
import { countFailures, type EndedStatus } from '../../../src/domain/consecutive-failures.ts';
import { transitionAfter } from '../../../src/domain/delivery-transition.ts';

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
});

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

describe("How a lane's slots are shared", () => {
  const part = (length: number, retry: number) =>
    Array.from({ length }, (_, index) => ({
      ...{
        id: `${retry}-${index}`,
        endpointId: 'e',
        workspaceId: 'w',
        eventId: 'v',
        eventType: 't',
        attemptsMade: retry,
      },
      ...{
        body: '{}',
        traceparent: null,
        place: { endpointId: 'e', retry, dueAt: 1, deliveryId: `${retry}-${index}` },
      },
    }));
  const due = (firsts: number, retries: number) => [...part(firsts, 0), ...part(retries, 1)];
  const chosen = (firsts: number, retries: number, slots: number) => {
    const all = chooseDue(due(firsts, retries), slots);
    return {
      firsts: all.filter(({ place }) => place.retry === 0).length,
      retries: all.filter(({ place }) => place.retry === 1).length,
    };
  };

  it.each([
    [0, 0, 8, 0, 0],
    [20, 0, 8, 8, 0],
    [0, 20, 8, 0, 8],
    [20, 20, 8, 6, 2],
    [20, 1, 8, 7, 1],
    [3, 20, 8, 3, 5],
    [3, 2, 8, 3, 2],
    [20, 20, 1, 1, 0],
    [20, 20, 0, 0, 0],
  ])('of %i first attempts and %i retries, %i slots take %i and %i', (firsts, retries, slots, first, retry) => {
    expect(chosen(firsts, retries, slots)).toEqual({ firsts: first, retries: retry });
  });

  it('every fourth is a retry, until the first attempts are used up', () => {
    const order = (firsts: number, retries: number, slots: number) =>
      chooseDue(due(firsts, retries), slots)
        .map(({ place }) => place.retry)
        .join('');
    expect(order(20, 20, 8)).toBe('00010001');
    expect(order(4, 20, 8)).toBe('00010111');
    expect(order(20, 0, 8)).toBe('00000000');
  });
});

describe('What a node learns about an endpoint', () => {
  it('answers widen its window up to the cap; attempts without a response do not', () => {
    const paces = createPaces(4);
    expect(paces.of('a').window).toBe(2);
    expect(paces.learn('a', { answered: false, durationMs: 10 }).window).toBe(2);
    for (const window of [3, 4, 4]) {
      expect(paces.learn('a', { answered: true, durationMs: 10 }).window).toBe(window);
    }
    expect(paces.of('b').window).toBe(2);
  });

  it('its latest attempt decides whether it is slow or quick', () => {
    const paces = createPaces(16);
    expect(paces.learn('a', { answered: true, durationMs: 1_999 }).slow).toBe(false);
    expect(paces.learn('a', { answered: true, durationMs: 2_000 }).slow).toBe(true);
    expect(paces.learn('a', { answered: true, durationMs: 5 }).slow).toBe(false);
  });

  it('never exceeds a cap of one', () => {
    expect(createPaces(1).of('a').window).toBe(1);
  });
});
