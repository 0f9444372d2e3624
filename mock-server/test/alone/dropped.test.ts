import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../src/domain/fault.ts';
import { injectFaults } from '../../src/http/inject-faults.ts';
import type { Services } from '../../src/http/services.ts';
import { createLogger } from '../../src/runtime/logger.ts';

// The fake timers do not replace node:timers/promises.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => void globalThis.setTimeout(resolve, ms)),
}));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Makes a call whose answer is dropped. The test moves the timers. */
async function drop() {
  const faults = { mayStrike: () => true, take: async () => ({ id: 'flt_1', effect: { drop: true } }) as Fault };
  const services = { faults, storage: { read: async () => undefined }, logger: createLogger('silent') };
  const app = new Hono().use(injectFaults(services as unknown as Services));
  app.onError((error) => {
    throw error;
  });
  const ended = vi.fn();
  const call = Promise.resolve(app.request('/v1/me')).then(ended, ended);
  await vi.advanceTimersByTimeAsync(0);
  return { ended, call };
}

describe('A call that is dropped', () => {
  test('gets no response for 59,999 ms', async () => {
    const { ended } = await drop();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ended).not.toHaveBeenCalled();
  });

  test('loses its connection after a minute', async () => {
    const { ended, call } = await drop();
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ message: 'fetch failed' }));
  });
});
