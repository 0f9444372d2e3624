import { describe, expect, it } from 'vitest';
import { chooseDue } from '../../../../src/delivery/lanes/attempt-order.ts';

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

  it('one of four is a retry, until the first attempts are used up', () => {
    const order = (firsts: number, retries: number, slots: number) =>
      chooseDue(due(firsts, retries), slots)
        .map(({ place }) => place.retry)
        .join('');
    expect(order(20, 20, 8)).toBe('00100010');
    expect(order(4, 20, 8)).toBe('00100111');
    expect(order(20, 0, 8)).toBe('00000000');
  });

  it('one of four is a retry, even if each look at the lane has only one slot', () => {
    const orderFrom = (firsts: number, retries: number) =>
      Array.from({ length: 8 }, (_, chosenBefore) => chooseDue(due(firsts, retries), 1, chosenBefore))
        .map(([delivery]) => delivery?.place.retry)
        .join('');
    expect(orderFrom(20, 20)).toBe('00100010');
    expect(orderFrom(0, 20)).toBe('11111111');
    expect(orderFrom(20, 0)).toBe('00000000');
  });
});
