import type { Dispatcher } from 'undici';
import { processTimers } from '../../runtime/timers.ts';
import { timeoutText } from './attempt-error.ts';
import type { Exchange, ReceiverResponse, SendAttempt } from './attempt-request.ts';
import type { ConnectionAware, Connections, Pools } from './connections.ts';
import { createExchangeHandler, type Fate } from './exchange-handler.ts';

/**
 * Makes each attempt as one HTTP exchange, or as two exchanges if the first exchange used a kept connection that the
 * receiver had closed. A single deadline applies to connecting, the head and the body. Redirects are not followed.
 */
export function createNetworkSender(connections: Connections, timeoutMs: number, now = processTimers.now): SendAttempt {
  return (request) => {
    const { origin, pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    const options = { origin, path, method: 'POST' as const, headers: request.headers, body: request.body };
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    let current: ConnectionAware | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let received: () => ReceiverResponse | undefined = () => undefined;
    const leftMs = request.timeoutMs ?? timeoutMs;
    const endsAt = now() + leftMs;
    const deadline = setTimeout(() => fail(timeoutText(timeoutMs), 'cut'), leftMs);

    /** Ends the exchange before the whole response has arrived. */
    function fail(error: string, fate: Fate): void {
      end({ error, response: received() }, fate);
    }

    function end(exchange: Exchange, fate: Fate): void {
      if (current === undefined) return;
      current = undefined;
      clearTimeout(deadline);
      if (fate === 'cut') controller?.abort(new Error('The attempt has ended.'));
      // Resolve late, because undici marks its connection as free in the next pass of the event loop. If the caller
      // sent another request before that, the request would open a new connection.
      queueMicrotask(() => setImmediate(resolve, exchange));
    }

    function dispatch(pools: Pools, mayBeStale: boolean): void {
      const { handler, soFar } = createExchangeHandler({
        now,
        isCurrent: () => current === handler,
        onStarted(started) {
          controller = started;
          // If the deadline passed while the connection was being made, do not send the request. Check the time too,
          // because after a freeze of the process, the deadline's timer may not have run yet.
          if (current !== handler) started.abort(new Error('The attempt has ended.'));
          else if (now() >= endsAt) fail(timeoutText(timeoutMs), 'cut');
        },
        onEnd: end,
        onBroken({ error, wasStale, shortage }) {
          if (mayBeStale && wasStale) dispatch(connections.fresh, false);
          else if (shortage === undefined) fail(error, 'keep');
          else end({ shortage }, 'keep');
        },
      });
      received = soFar;
      current = handler;
      pools.dispatch(options, handler);
    }

    dispatch(connections.kept, true);
    return promise;
  };
}
