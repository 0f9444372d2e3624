import type { Dispatcher } from 'undici';
import { processTimers } from '../../runtime/timers.ts';
import { errorTextOf, shortageOf, timeoutText } from './attempt-error.ts';
import type { ReceiverResponse, SendAttempt, SendResult } from './attempt-request.ts';
import type { ConnectionAware, Connections, Pools } from './connections.ts';
import { createBodyKeeper, keptHeaders } from './kept-response.ts';

/** The maximum number of interim responses (status 1xx) in an exchange. */
const INTERIM_RESPONSES_MAX = 32;

/**
 * If a kept connection ends within this time after a request was written, and no byte of a response has arrived, the
 * receiver probably closed the idle connection. The request is then sent again over a new connection. Normally, the end
 * of the connection arrives within one round trip, or later if a packet is lost.
 */
const CROSSED_WITHIN_MS = 1_000;

/**
 * Makes each attempt as one HTTP exchange, or as two if the receiver had already closed the kept connection of the
 * first exchange. One deadline applies to connecting, the head and the body. Redirects are not followed.
 */
export function createNetworkSender(connections: Connections, timeoutMs: number, now = processTimers.now): SendAttempt {
  return (request, { workspaceId: owner }) => {
    const { origin, pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    const options = { origin, path, method: 'POST' as const, headers: request.headers, body: request.body, owner };
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    let current: ConnectionAware | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let received: () => ReceiverResponse | undefined = () => undefined;
    const leftMs = request.timeoutMs ?? timeoutMs;
    const endsAt = now() + leftMs;
    const deadline = setTimeout(() => fail(timeoutText(timeoutMs), 'cut'), leftMs);

    function fail(error: string, fate: Fate): void {
      end({ error, response: received() }, fate);
    }

    function end(result: SendResult, fate: Fate): void {
      if (current === undefined) return;
      current = undefined;
      clearTimeout(deadline);
      if (fate === 'cut') controller?.abort(new Error('The attempt has ended.'));
      // Resolve only in the next pass of the event loop: by then, undici has freed the connection. If the next request
      // came earlier, it would open a new connection.
      queueMicrotask(() => setImmediate(resolve, result));
    }

    function dispatch(pools: Pools, mayBeClosed: boolean): void {
      const { handler, soFar } = createExchangeHandler({
        now,
        isCurrent: () => current === handler,
        onStarted(started) {
          controller = started;
          // Do not send a request after the deadline. If the process was frozen, the timer may not have run yet.
          if (current !== handler) started.abort(new Error('The attempt has ended.'));
          else if (now() >= endsAt) fail(timeoutText(timeoutMs), 'cut');
        },
        onEnd: end,
        onBroken({ error, wasClosedIdle, shortage }) {
          if (mayBeClosed && wasClosedIdle) dispatch(connections.fresh, false);
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

/** Whether the connection is closed (`cut`) or kept after the exchange. */
type Fate = 'cut' | 'keep';

interface ExchangeOwner {
  now(): number;
  /** Returns false after the exchange has ended. Anything that arrives later is ignored. */
  isCurrent(): boolean;
  /** Called when the connection is open and the request is about to be written. */
  onStarted(controller: Dispatcher.DispatchController): void;
  onEnd(result: SendResult, fate: Fate): void;
  /**
   * Called when the connection broke or could not be opened.
   *
   * @param broken.wasClosedIdle - Whether the receiver probably closed the idle connection and never saw the request.
   * @param broken.shortage - The system's error code, if the cause was that this machine had run out of a resource.
   */
  onBroken(broken: { error: string; wasClosedIdle: boolean; shortage: string | undefined }): void;
}

/** Follows one exchange on one connection, and keeps the part of the response that arrives. */
function createExchangeHandler({ now, isCurrent, onStarted, onEnd, onBroken }: ExchangeOwner) {
  const body = createBodyKeeper();
  let head: { status: number; headers: Record<string, string> } | undefined;
  const soFar = (): ReceiverResponse | undefined => head && { ...head, body: body.text() };
  let interim = 0;
  let wasUsed = false;
  let sentAt: number | undefined;
  let isHeard = false;

  const handler: ConnectionAware = {
    countRequest: () => false,
    isOnOpenConnection: () => false,
    onRequestStart(controller) {
      wasUsed = handler.countRequest();
      sentAt = now();
      onStarted(controller);
    },
    onResponseStarted() {
      isHeard = true;
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) {
        if (++interim > INTERIM_RESPONSES_MAX) onEnd({ error: 'Invalid HTTP response', response: soFar() }, 'cut');
        return;
      }
      head = { status, headers: keptHeaders(Object.entries(headers)) };
    },
    onResponseData(_controller, chunk) {
      if (!isCurrent() || head === undefined) return;
      if (!body.add(chunk)) onEnd({ response: { ...head, body: body.text() } }, 'cut');
    },
    onResponseEnd() {
      if (head) onEnd({ response: { ...head, body: body.text() } }, 'keep');
    },
    onResponseError(_controller, cause) {
      if (!isCurrent()) return;
      const error = errorTextOf(cause, head !== undefined);
      const wasClosedIdle =
        sentAt === undefined
          ? // No request was sent. Either an open connection broke while it was idle, or no connection could be made.
            handler.isOnOpenConnection()
          : wasUsed && !isHeard && error === 'Connection reset' && now() - sentAt < CROSSED_WITHIN_MS;
      onBroken({ error, wasClosedIdle, shortage: sentAt === undefined ? shortageOf(cause) : undefined });
    },
  };
  return { handler, soFar };
}
