import type { Dispatcher } from 'undici';
import { errorTextOf, shortageOf, timeoutText } from './attempt-error.ts';
import type { AttemptRequest, Exchange, SendAttempt } from './attempt-request.ts';
import type { ConnectionAware, Connections } from './connections.ts';
import { createBodyKeeper, keptHeaders } from './kept-answer.ts';

/** Interim answers (1xx) that one exchange may bring before it is given up. */
const INTERIM_ANSWERS_MAX = 32;

/**
 * A kept connection that ends within this time of a request being written, without a byte of an answer, was closed by the
 * receiver while it was idle: the request crossed with that. The news takes one round trip, with room for a lost packet.
 */
const CROSSED_WITHIN_MS = 1_000;

/** Makes each attempt as one HTTP exchange under one deadline, over connecting, head and body. Redirects are not followed. */
export function createNetworkSender(connections: Connections, timeoutMs: number): SendAttempt {
  const addresses = createAddresses();
  return (request) => sendOverNetwork(connections, addresses(request.url), request, timeoutMs);
}

/** Where a request goes. */
interface Address {
  origin: string;
  path: string;
}

/** Addresses kept at a time; beyond that all are read anew. */
const ADDRESSES_KEPT_MAX = 10_000;

/** Takes URLs apart, each once: an endpoint has the same one for all its deliveries. */
function createAddresses(): (url: string) => Address {
  const kept = new Map<string, Address>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    if (kept.size >= ADDRESSES_KEPT_MAX) kept.clear();
    const url = new URL(text);
    const address = { origin: url.origin, path: `${url.pathname}${url.search}` };
    kept.set(text, address);
    return address;
  };
}

function sendOverNetwork(
  connections: Connections,
  { origin, path }: Address,
  request: AttemptRequest,
  timeoutMs: number,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let current: ConnectionAware | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const deadline = setTimeout(() => end({ error: timeoutText(timeoutMs) }, 'cut'), request.timeoutMs ?? timeoutMs);
    const options: Dispatcher.DispatchOptions = {
      origin,
      path,
      method: 'POST',
      headers: request.headers,
      body: request.body,
    };
    dispatch(connections.kept, true);

    function end(exchange: Exchange, connection: 'cut' | 'keep'): void {
      if (current === undefined) return;
      current = undefined;
      clearTimeout(deadline);
      if (connection === 'cut') controller?.abort(new Error('The attempt is over.'));
      // The client takes its connection for free in the next turn of the event loop. Whoever hears of the end before
      // that, and has another request, would open another connection.
      queueMicrotask(() => setImmediate(resolve, exchange));
    }

    function dispatch(agent: Dispatcher, mayBeStale: boolean): void {
      const body = createBodyKeeper();
      let answer: { status: number; headers: Record<string, string> } | undefined;
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
          sentAt = performance.now();
          // The deadline passed while the connection was being made: nothing is sent any more.
          if (current !== handler) started.abort(new Error('The attempt is over.'));
        },
        onResponseStarted() {
          isHeard = true;
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) {
            if (++interim > INTERIM_ANSWERS_MAX) end({ error: 'Invalid HTTP response' }, 'cut');
            return;
          }
          answer = { status, headers: keptHeaders(Object.entries(headers)) };
        },
        onResponseData(_controller, chunk) {
          handler.countBody(chunk.length);
          if (current !== handler || answer === undefined) return;
          if (!body.add(chunk)) end({ answer: { ...answer, body: body.text() } }, 'cut');
        },
        onResponseEnd() {
          if (answer) end({ answer: { ...answer, body: body.text() } }, 'keep');
        },
        onResponseError(_controller, error) {
          if (current !== handler) return;
          const text = errorTextOf(error, answer !== undefined);
          const wasStale =
            sentAt === undefined
              ? // The idle connection broke before the first byte. One that was not made at all is the receiver's answer.
                handler.isOnOpenConnection()
              : wasUsed && !isHeard && text === 'Connection reset' && performance.now() - sentAt < CROSSED_WITHIN_MS;
          const shortage = sentAt === undefined ? shortageOf(error) : undefined;
          if (mayBeStale && wasStale) dispatch(connections.fresh, false);
          else end(shortage === undefined ? { error: text } : { shortage }, 'keep');
        },
      };
      current = handler;
      agent.dispatch(options, handler);
    }
  });
}
