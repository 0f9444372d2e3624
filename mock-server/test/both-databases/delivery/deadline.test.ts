import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionAware, Pools } from '../../../src/delivery/sending/connections.ts';
import { createFunctionSender } from '../../../src/delivery/sending/send-by-function.ts';
import { createNetworkSender } from '../../../src/delivery/sending/send-over-network.ts';
import { attempted } from '../../support/delivery/attempted.ts';

// The test moves the monotonic clock, which Node's timers follow. Everything else works in real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

interface ExchangeSettings {
  isConnected: boolean;
  timeoutMs: number;
  now(): number;
}

/** An exchange over a kept connection, or over one that the test opens. The receiver answers when the test says so. */
function startExchange({ isConnected = true, timeoutMs, now }: Partial<ExchangeSettings> = {}) {
  const abort = vi.fn();
  const controller = { abort } as unknown as Dispatcher.DispatchController;
  let handler: ConnectionAware | undefined;
  const agentOf = (wasUsed: boolean) => {
    const dispatch = vi.fn((_options: unknown, given: ConnectionAware) => {
      handler = given;
      given.countRequest = () => wasUsed;
      if (isConnected) given.onRequestStart?.(controller, {});
      return true;
    });
    return { dispatch } as unknown as Pools & { dispatch: typeof dispatch };
  };
  const fresh = agentOf(false);
  const send = createNetworkSender({ kept: agentOf(true), fresh, destroy: async () => {} }, DELIVERY_TIMEOUT_MS, now);
  return {
    exchange: send(
      { url: 'http://receiver.test/hook', headers: {}, body: '{}', ...(timeoutMs && { timeoutMs }) },
      attempted,
    ),
    abort,
    connect: () => handler?.onRequestStart?.(controller, {}),
    reset: () => handler?.onResponseError?.(controller, Object.assign(new Error(), { code: 'ECONNRESET' })),
    sentAgain: () => fresh.dispatch.mock.calls.length,
    startResponse: () => handler?.onResponseStart?.(controller, 200, {}, 'OK'),
    endResponse: () => handler?.onResponseEnd?.(controller, {}),
  };
}

describe('Delivery behaviour: no response within 10 seconds', () => {
  it('a response that is complete after 9,999 ms is accepted', async () => {
    const { exchange, startResponse, endResponse, abort } = startExchange();
    vi.advanceTimersByTime(9_999);
    startResponse();
    endResponse();
    expect(await exchange).toEqual({ response: { status: 200, headers: {}, body: '' } });
    expect(abort).not.toHaveBeenCalled();
  });

  it('the exchange ends after 10 seconds, and a response that arrives at that moment is ignored', async () => {
    const { exchange, startResponse, endResponse, abort } = startExchange();
    vi.advanceTimersByTime(10_000);
    startResponse();
    endResponse();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
    expect(abort).toHaveBeenCalledOnce();
  });

  it('the exchange gets only the time that is left if part of it is already used', async () => {
    const { exchange, abort } = startExchange({ timeoutMs: 1_000 });
    vi.advanceTimersByTime(999);
    expect(abort).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
  });

  it('an attempt that a function handles also times out', async () => {
    const send = createFunctionSender(() => new Promise(() => {}), DELIVERY_TIMEOUT_MS);
    const request = { url: 'http://receiver.test/hook', headers: {}, body: '{}', timeoutMs: 10 };
    expect(await send(request, attempted)).toEqual({ error: 'Timed out after 10 s' });
  });

  it('a response is cut off if its head arrives in time but its body does not', async () => {
    const { exchange, startResponse, endResponse } = startExchange();
    vi.advanceTimersByTime(9_999);
    startResponse();
    vi.advanceTimersByTime(1);
    endResponse();
    expect(await exchange).toEqual({
      error: 'Timed out after 10 s',
      response: { status: 200, headers: {}, body: '' },
    });
  });

  it('a response of a function is cut off too, and what came of it is kept', async () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('half')) });
    const answer = new Response(body, { status: 201, headers: { 'x-kept': 'yes' } });
    const send = createFunctionSender(() => Promise.resolve(answer), DELIVERY_TIMEOUT_MS);
    const request = { url: 'http://receiver.test/hook', headers: {}, body: '{}', timeoutMs: 10 };
    expect(await send(request, attempted)).toEqual({
      error: 'Timed out after 10 s',
      response: { status: 201, headers: { 'x-kept': 'yes' }, body: 'half' },
    });
  });

  it('nothing is sent over a connection that opens only after the deadline', async () => {
    const { exchange, connect, abort } = startExchange({ isConnected: false });
    vi.advanceTimersByTime(10_000);
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
    expect(abort).not.toHaveBeenCalled();
    connect();
    expect(abort).toHaveBeenCalledOnce();
  });

  it('nothing is sent over a connection that opens while the process is frozen beyond the deadline', async () => {
    let elapsedMs = 0;
    const { exchange, connect, abort } = startExchange({ isConnected: false, now: () => elapsedMs });
    // The timers have not run yet.
    elapsedMs = 10_000;
    connect();
    expect(abort).toHaveBeenCalledOnce();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
  });

  it('the request is sent over a connection that opens before the deadline', async () => {
    const { connect, abort } = startExchange({ isConnected: false });
    vi.advanceTimersByTime(9_999);
    connect();
    expect(abort).not.toHaveBeenCalled();
  });
});

describe('A kept connection that is reset before a response arrives', () => {
  it('counts as closed while idle if the reset comes within a second: the request is sent again on a new connection', async () => {
    const { exchange, reset, sentAgain, startResponse, endResponse } = startExchange();
    vi.advanceTimersByTime(999);
    reset();
    expect(sentAgain()).toBe(1);
    startResponse();
    endResponse();
    expect(await exchange).toMatchObject({ response: { status: 200 } });
  });

  it('does not count as closed while idle if the reset comes after a second: the request is not sent again', async () => {
    const { exchange, reset, sentAgain } = startExchange();
    vi.advanceTimersByTime(1_000);
    reset();
    expect(sentAgain()).toBe(0);
    expect(await exchange).toEqual({ error: 'Connection reset' });
  });
});
