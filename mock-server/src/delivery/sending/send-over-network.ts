import type { Dispatcher } from 'undici';
import { RecentMap } from '../../runtime/recent-map.ts';
import { processTimers } from '../../runtime/timers.ts';
import { errorTextOf, shortageOf, timeoutText } from './attempt-error.ts';
import type { AttemptRequest, Exchange, ReceiverResponse, SendAttempt } from './attempt-request.ts';
import type { ConnectionAware, Connections, Pools } from './connections.ts';
import { createBodyKeeper, keptHeaders } from './kept-response.ts';

/** The maximum number of interim responses (1xx) in one exchange. */
const INTERIM_ANSWERS_MAX = 32;

/**
 * If a kept connection ends within this time after a request was written, without a byte of a response, the receiver had
 * closed it while it was idle. The request and the close crossed on the way. The close arrives within one round trip,
 * and this time also allows for a lost packet.
 */
const CROSSED_WITHIN_MS = 1_000;

/** Makes each attempt as one HTTP exchange. One deadline covers connect, head and body. Redirects are not followed. */
export function createNetworkSender(connections: Connections, timeoutMs: number, now = processTimers.now): SendAttempt {
  const addresses = createAddresses();
  return (request) => sendOverNetwork({ connections, timeoutMs, now }, addresses(request.url), request);
}

/** Where a request goes. */
interface Address {
  origin: string;
  path: string;
}

const ADDRESSES_KEPT_MAX = 100_000;

/** Parses each URL once, because all deliveries of an endpoint share it. */
function createAddresses(): (url: string) => Address {
  const kept = new RecentMap<Address>(ADDRESSES_KEPT_MAX);
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    const url = new URL(text);
    const address = { origin: url.origin, path: `${url.pathname}${url.search}` };
    kept.set(text, address);
    return address;
  };
}

function sendOverNetwork(
  { connections, timeoutMs, now }: { connections: Connections; timeoutMs: number; now: () => number },
  { origin, path }: Address,
  request: AttemptRequest,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let current: ConnectionAware | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let received: () => ReceiverResponse | undefined = () => undefined;
    const leftMs = request.timeoutMs ?? timeoutMs;
    const endsAt = now() + leftMs;
    const deadline = setTimeout(() => fail(timeoutText(timeoutMs), 'cut'), leftMs);
    const options = {
      origin,
      path,
      method: 'POST' as const,
      headers: request.headers,
      body: request.body,
    };
    dispatch(connections.kept, true);

    /** Ends the exchange before the whole response has arrived. */
    function fail(error: string, connection: 'cut' | 'keep'): void {
      end({ error, answer: received() }, connection);
    }

    function end(exchange: Exchange, connection: 'cut' | 'keep'): void {
      if (current === undefined) return;
      current = undefined;
      clearTimeout(deadline);
      if (connection === 'cut') controller?.abort(new Error('The attempt is over.'));
      // undici marks its connection as free in the next pass of the event loop. If the caller heard of the end earlier
      // and had another request, it would open another connection.
      queueMicrotask(() => setImmediate(resolve, exchange));
    }

    function dispatch(pools: Pools, mayBeStale: boolean): void {
      const body = createBodyKeeper();
      let head: { status: number; headers: Record<string, string> } | undefined;
      received = () => head && { ...head, body: body.text() };
      let interim = 0;
      let wasUsed = false;
      let sentAt: number | undefined;
      let isHeard = false;
      const handler: ConnectionAware = {
        countRequest: () => false,
        countBody: () => {},
        isOnOpenConnection: () => false,
        onRequestStart(started) {
          controller = started;
          wasUsed = handler.countRequest();
          sentAt = now();
          // The deadline passed while the connection was being made, so send nothing. If the process was frozen, the
          // timer of the deadline may run only after this.
          if (current !== handler) started.abort(new Error('The attempt is over.'));
          else if (now() >= endsAt) fail(timeoutText(timeoutMs), 'cut');
        },
        onResponseStarted() {
          isHeard = true;
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) {
            if (++interim > INTERIM_ANSWERS_MAX) fail('Invalid HTTP response', 'cut');
            return;
          }
          head = { status, headers: keptHeaders(Object.entries(headers)) };
        },
        onResponseData(_controller, chunk) {
          handler.countBody(chunk.length);
          if (current !== handler || head === undefined) return;
          if (!body.add(chunk)) end({ answer: { ...head, body: body.text() } }, 'cut');
        },
        onResponseEnd() {
          if (head) end({ answer: { ...head, body: body.text() } }, 'keep');
        },
        onResponseError(_controller, error) {
          if (current !== handler) return;
          const text = errorTextOf(error, head !== undefined);
          const wasStale =
            sentAt === undefined
              ? // An idle connection broke before the first byte. A connection that was never made is a result.
                handler.isOnOpenConnection()
              : wasUsed && !isHeard && text === 'Connection reset' && now() - sentAt < CROSSED_WITHIN_MS;
          const shortage = sentAt === undefined ? shortageOf(error) : undefined;
          if (mayBeStale && wasStale) dispatch(connections.fresh, false);
          else if (shortage === undefined) fail(text, 'keep');
          else end({ shortage }, 'keep');
        },
      };
      current = handler;
      pools.dispatch(options, handler);
    }
  });
}
