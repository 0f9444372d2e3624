import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { injectFaults } from '../../src/delivery/sending/inject-faults.ts';
import type { Fault } from '../../src/domain/fault.ts';
import { createLogger } from '../../src/runtime/logger.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An attempt that another one must overtake. */
async function reorder() {
  const sent: string[] = [];
  const send = injectFaults({
    send: async (_request, { id }) => {
      sent.push(id);
      return { error: 'Connection failed' };
    },
    faults: {
      mayStrike: () => true,
      take: async (subject) =>
        'id' in subject && subject.id === 'whd_1' ? ({ id: 'flt_1', effect: { reorder: true } } as Fault) : undefined,
    },
    logger: createLogger('silent'),
    timeoutMs: DELIVERY_TIMEOUT_MS,
  });
  const attempt = (id: string) => {
    const subject = { id, endpointId: 'whe_1', workspaceId: 'wsp_1', eventType: 'lifecycle.evaluated', attempt: 1 };
    return send({ url: 'https://receiver.test/hook', headers: {}, body: '{}' }, subject);
  };
  const attempted = attempt('whd_1');
  await vi.advanceTimersByTimeAsync(0);
  return { sent, attempt, attempted };
}

describe('An attempt that another attempt must overtake', () => {
  it('still waits for another attempt to its endpoint after 4,999 ms, and is sent after that attempt', async () => {
    const { sent, attempt, attempted } = await reorder();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sent).toEqual([]);
    await attempt('whd_2');
    await attempted;
    expect(sent).toEqual(['whd_2', 'whd_1']);
  });

  it('is sent after 5 s if there is no other attempt', async () => {
    const { sent, attempted } = await reorder();
    await vi.advanceTimersByTimeAsync(5_000);
    await attempted;
    expect(sent).toEqual(['whd_1']);
  });
});
