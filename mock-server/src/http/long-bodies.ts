import type { IncomingMessage } from 'node:http';

/**
 * At the connection limit, a new connection may replace a connection whose request body has been arriving for this
 * long.
 */
const GIVES_WAY_AFTER_MS = 5_000;

/** The requests whose bodies have a time limit, with the start of each body and its limit. */
const expected = new WeakMap<IncomingMessage, { since: number; deadline: NodeJS.Timeout }>();

/** Calls `cutOff` if a request has not arrived completely within the time limit. */
export function expectBodyWithin(incoming: IncomingMessage, ms: number, cutOff: () => void): void {
  const deadline = setTimeout(() => {
    if (!incoming.complete) cutOff();
  }, ms);
  expected.set(incoming, { since: performance.now(), deadline });
  incoming.once('close', () => clearTimeout(deadline));
}

/** Removes the time limit of a request, because the reader of the body has its own limits. */
export function letBodyTakeItsTime(incoming: IncomingMessage): void {
  clearTimeout(expected.get(incoming)?.deadline);
  expected.delete(incoming);
}

/** Whether a body has been arriving for so long that a new connection may replace its connection. */
export function isSentSlowly(incoming: IncomingMessage): boolean {
  const { since } = expected.get(incoming) ?? {};
  return since !== undefined && !incoming.complete && performance.now() - since >= GIVES_WAY_AFTER_MS;
}
