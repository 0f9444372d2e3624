import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { Agent, Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNetworkSender } from '../../src/delivery/send-over-network.ts';

// Node's timers go by the monotonic clock; here the test moves it. What else an exchange waits for stays real.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** An exchange with a receiver that answers when the test says so. */
function startExchange() {
  const abort = vi.fn();
  const controller = { abort } as unknown as Dispatcher.DispatchController;
  let handler: Dispatcher.DispatchHandler | undefined;
  const agent = {
    dispatch(_options: unknown, given: Dispatcher.DispatchHandler) {
      handler = given;
      given.onRequestStart?.(controller, {});
      return true;
    },
  } as unknown as Agent;
  const send = createNetworkSender({ kept: agent, fresh: agent, destroy: async () => {} }, DELIVERY_TIMEOUT_MS);
  const subject = {
    id: 'whd_1',
    endpointId: 'whe_1',
    workspaceId: 'wsp_1',
    eventType: 'lifecycle.evaluated',
    attempt: 1,
  };
  return {
    exchange: send({ url: 'http://receiver.test/hook', headers: {}, body: '{}' }, subject),
    abort,
    startAnswer: () => handler?.onResponseStart?.(controller, 200, {}, 'OK'),
    endAnswer: () => handler?.onResponseEnd?.(controller, {}),
  };
}

describe('Delivery behaviour: no response within 10 seconds', () => {
  it('an answer that is whole a millisecond before them is taken', async () => {
    const { exchange, startAnswer, endAnswer, abort } = startExchange();
    vi.advanceTimersByTime(9_999);
    startAnswer();
    endAnswer();
    expect(await exchange).toEqual({ answer: { status: 200, headers: {}, body: '' } });
    expect(abort).not.toHaveBeenCalled();
  });

  it('at 10 seconds the exchange is cut off, and what comes then is not taken', async () => {
    const { exchange, startAnswer, endAnswer, abort } = startExchange();
    vi.advanceTimersByTime(10_000);
    startAnswer();
    endAnswer();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
    expect(abort).toHaveBeenCalledOnce();
  });

  it('an answer whose head came in time and whose body did not is cut off too', async () => {
    const { exchange, startAnswer, endAnswer } = startExchange();
    vi.advanceTimersByTime(9_999);
    startAnswer();
    vi.advanceTimersByTime(1);
    endAnswer();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
  });
});
