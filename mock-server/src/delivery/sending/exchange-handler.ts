import type { Dispatcher } from 'undici';
import { errorTextOf, shortageOf } from './attempt-error.ts';
import type { Exchange, ReceiverResponse } from './attempt-request.ts';
import type { ConnectionAware } from './connections.ts';
import { createBodyKeeper, keptHeaders } from './kept-response.ts';

/** The maximum number of interim responses (1xx) in one exchange. */
const INTERIM_RESPONSES_MAX = 32;

/**
 * If a kept connection ends within this time after a request was written, and no byte of a response has arrived, the
 * receiver had probably closed the idle connection just before the request arrived. The close reaches this server
 * within one round trip. The limit also leaves time to resend a lost packet.
 */
const CROSSED_WITHIN_MS = 1_000;

/** Whether the connection is closed or kept after the exchange. */
export type Fate = 'cut' | 'keep';

/** An exchange whose connection broke or could not be made. */
export interface BrokenExchange {
  /** A short text for people. */
  error: string;
  /**
   * Whether the receiver had probably closed the connection while it was idle, so that the receiver never saw the
   * request.
   */
  wasStale: boolean;
  /** The system's error code if this machine had run out of a resource that the connection needs. */
  shortage: string | undefined;
}

/** The callbacks of an exchange. */
export interface ExchangeOwner {
  now(): number;
  /** Whether the exchange has not ended yet. If it has, the rest of its response is ignored. */
  isCurrent(): boolean;
  /** Called when the connection is made and the request is about to be written. */
  onStarted(controller: Dispatcher.DispatchController): void;
  onEnd(exchange: Exchange, fate: Fate): void;
  onBroken(broken: BrokenExchange): void;
}

/** Follows one exchange on one connection, and keeps the part of the response that arrives. */
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
          ? // No request was sent. Either an open connection broke while it was idle, or no connection could be made.
            handler.isOnOpenConnection()
          : wasUsed && !isHeard && error === 'Connection reset' && now() - sentAt < CROSSED_WITHIN_MS;
      onBroken({ error, wasStale, shortage: sentAt === undefined ? shortageOf(cause) : undefined });
    },
  };
  return { handler, soFar };
}
