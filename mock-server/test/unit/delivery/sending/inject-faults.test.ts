import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendResult } from '../../../../src/delivery/sending/attempt-request.ts';
import { injectFaults } from '../../../../src/delivery/sending/inject-faults.ts';
import type { DeliveryFault, Fault } from '../../../../src/domain/fault.ts';
import { createLogger } from '../../../../src/runtime/logger.ts';
import { processTimers } from '../../../../src/runtime/timers.ts';
import { attempted } from '../../../support/delivery/attempted.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const OK: SendResult = { response: { status: 200, headers: {}, body: '' } };
const TIMED_OUT: SendResult = { error: 'Timed out after 10 s' };

/** Makes one attempt with this fault. The receiver answers after these times, and hangs if there is none. */
const attempt = (effect: DeliveryFault['effect'], ...respondsAfterMs: number[]) =>
  attemptWith(async () => ({ id: 'flt_1', target: 'delivery', effect }) as Fault, ...respondsAfterMs);

async function attemptWith(take: () => Promise<Fault | undefined>, ...respondsAfterMs: number[]) {
  /** The time limit of each POST. */
  const given: (number | undefined)[] = [];
  const send = injectFaults({
    faults: { mayStrike: () => true, take },
    timers: { ...processTimers, now: () => performance.now() },
    logger: createLogger('silent'),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    send: ({ timeoutMs = DELIVERY_TIMEOUT_MS }) => {
      const respondAfterMs = respondsAfterMs[given.push(timeoutMs) - 1] ?? Number.POSITIVE_INFINITY;
      return new Promise((done) => {
        if (respondAfterMs < timeoutMs) setTimeout(done, respondAfterMs, OK);
        else setTimeout(done, timeoutMs, TIMED_OUT);
      });
    },
  });
  const startedAt = performance.now();
  const sent = send({ url: 'http://receiver.test/', headers: {}, body: '{}' }, attempted).then((result) => ({
    result,
    tookMs: performance.now() - startedAt,
    given,
  }));
  await vi.advanceTimersByTimeAsync(2 * DELIVERY_TIMEOUT_MS);
  return sent;
}

describe('An attempt with a fault ends within 10 seconds', () => {
  it('the receiver gets the time that a delay leaves', async () => {
    expect(await attempt({ delayMs: 9_000 })).toEqual({ result: TIMED_OUT, tookMs: 10_000, given: [1_000] });
    expect(await attempt({ delayMs: 9_000 }, 999)).toEqual({ result: OK, tookMs: 9_999, given: [1_000] });
  });

  it.each([
    [4_000, [6_000], OK],
    [10_000, [], TIMED_OUT],
  ])('also if the faults are known only after %i ms', async (afterMs, given, result) => {
    const take = () => new Promise<undefined>((done) => setTimeout(done, afterMs, undefined));
    expect(await attemptWith(take, 100)).toMatchObject({ result, given });
  });

  it('nothing is sent if a delay leaves no time', async () => {
    expect(await attempt({ delayMs: 10_000 })).toEqual({ result: TIMED_OUT, tookMs: 10_000, given: [] });
  });

  it('a duplicate gets the time that the first response leaves, and does not change the result of the attempt', async () => {
    const struck = await attempt({ duplicate: true }, 4_000);
    expect(struck).toEqual({ result: OK, tookMs: 10_000, given: [10_000, 6_000] });
  });

  it('an attempt that timed out is not sent twice', async () => {
    const struck = await attempt({ duplicate: true });
    expect(struck).toEqual({ result: TIMED_OUT, tookMs: 10_000, given: [10_000] });
  });

  it('a delivery that waits to be overtaken gets the time that its wait leaves', async () => {
    expect(await attempt({ reorder: true })).toEqual({ result: TIMED_OUT, tookMs: 10_000, given: [5_000] });
    const struck = await attempt({ reorder: true, delayMs: 60_000 });
    expect(struck).toEqual({ result: TIMED_OUT, tookMs: 10_000, given: [] });
  });
});
