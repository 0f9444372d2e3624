import type { Dispatcher } from 'undici';
import { errorTextOf, shortageOf } from './attempt-error.ts';
import type { Exchange, ReceiverResponse } from './attempt-request.ts';
import type { ConnectionAware } from './connections.ts';
import { createBodyKeeper, keptHeaders } from './kept-response.ts';

/** The maximum number of interim responses (1xx) in one exchange. */
const INTERIM_RESPONSES_MAX = 32;

/**
 * If a kept connection ends within this time after a request was written, without a byte of a response, the receiver had
 * closed it while it was idle. The request and the close crossed on the way. The close arrives within one round trip,
 * and this time also allows for a lost packet.
 */
const CROSSED_WITHIN_MS = 1_000;

/** What happens to the connection after the exchange. */
export type Fate = 'cut' | 'keep';

/** An exchange whose connection broke, or was never made. */
export interface BrokenExchange {
  /** A short text for people. */
  error: string;
  /** Whether the receiver had probably closed the connection while it was idle, so that it never saw the request. */
  wasStale: boolean;
  /** The resource that this node lacked to connect. */
  shortage: string | undefined;
}

/** What the owner of an exchange does with its events. */
export interface ExchangeOwner {
  now(): number;
  /** Whether the exchange still counts. If not, the rest of its response is ignored. */
  isCurrent(): boolean;
  /** Called when the connection is made and the request is about to be written. */
  onStarted(controller: Dispatcher.DispatchController): void;
  onEnd(exchange: Exchange, fate: Fate): void;
  onBroken(broken: BrokenExchange): void;
}

/** Follows one exchange on one connection, and keeps what arrives of the response. */
export function createExchangeHandler({ now, isCurrent, onStarted, onEnd, onBroken }: ExchangeOwner) {
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
      const wasStale =
        sentAt === undefined
          ? // Nothing was sent. A connection that was open broke while it was idle. If none was made, that is the result.
            handler.isOnOpenConnection()
          : wasUsed && !isHeard && error === 'Connection reset' && now() - sentAt < CROSSED_WITHIN_MS;
      onBroken({ error, wasStale, shortage: sentAt === undefined ? shortageOf(cause) : undefined });
    },
  };
  return { handler, soFar };
}
