import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveryHandlers } from '../../src/http/control/deliveries.ts';
import { registerOperation } from '../../src/http/control/operation.ts';
import type { Services } from '../../src/http/services.ts';

// The fake timers do not replace node:timers/promises.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => void globalThis.setTimeout(resolve, ms)),
}));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PENDING = { id: 'whd_1', endpoint_id: 'whe_1', status: 'pending', attempt: 0 };

/** Makes a call that waits for a delivery that stays pending. The test moves the timers. */
async function wait(timeoutMs: number, named = 'deliveryId=whd_1', found: object[] = [PENDING]) {
  const read = vi.fn(async () => found);
  const app = new Hono();
  const services = {
    storage: { read },
    draining: () => false,
    onSameData: () => ({}),
    timeline: { whileCurrent: (work: () => unknown) => work() },
  };
  registerOperation(app, services as unknown as Services, 'wait', deliveryHandlers.wait);
  const ended = vi.fn();
  const call = app.request(`/_control/wait?${named}&timeoutMs=${timeoutMs}`);
  Promise.resolve(call).then(({ status }) => ended(status));
  await vi.advanceTimersByTimeAsync(0);
  return { looks: () => read.mock.calls.length, ended };
}

describe('GET /_control/wait', () => {
  test('looks again after 10 ms, 20 ms, and so on up to 200 ms, and not a millisecond sooner', async () => {
    const waiting = await wait(60_000);
    for (const [index, pauseMs] of [10, 20, 40, 80, 160, 200, 200].entries()) {
      await vi.advanceTimersByTimeAsync(pauseMs - 1);
      expect(waiting.looks()).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(waiting.looks()).toBe(index + 2);
    }
  });

  test('answers at once if an event has no deliveries, because it gets none later', async () => {
    expect((await wait(60_000, 'eventId=evt_1', [])).ended).toHaveBeenCalledWith(408);
    expect((await wait(60_000, 'eventId=evt_1')).ended).not.toHaveBeenCalled();
    expect((await wait(60_000, 'endpointId=whe_1', [])).ended).not.toHaveBeenCalled();
  });

  test('has not responded a millisecond before its time limit', async () => {
    const { ended } = await wait(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
  });

  test('responds with 408 at its time limit', async () => {
    const { ended } = await wait(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toHaveBeenCalledExactlyOnceWith(408);
  });
});
