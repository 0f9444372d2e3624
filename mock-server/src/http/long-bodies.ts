import type { IncomingMessage } from 'node:http';

/** When a new connection needs room, a body that has been arriving for this long is cut off. */
const GIVES_WAY_AFTER_MS = 5_000;

/** The requests whose bodies have a time limit, with the start of each body and its limit. */
const expected = new WeakMap<IncomingMessage, { since: number; deadline: NodeJS.Timeout }>();

/** Cuts a request off if it is not completely sent in time. */
export function expectBodyWithin(incoming: IncomingMessage, ms: number, cutOff: () => void): void {
  const deadline = setTimeout(() => {
    if (!incoming.complete) cutOff();
  }, ms);
  expected.set(incoming, { since: performance.now(), deadline });
  incoming.once('close', () => clearTimeout(deadline));
}

/** Removes the time limit of a request. From now on, the reader of the body sets the pace. */
export function letBodyTakeItsTime(incoming: IncomingMessage): void {
  clearTimeout(expected.get(incoming)?.deadline);
  expected.delete(incoming);
}

/** Whether a body has been on its way for so long that its connection may be given to another client. */
export function isSentSlowly(incoming: IncomingMessage): boolean {
  const { since } = expected.get(incoming) ?? {};
  return since !== undefined && !incoming.complete && performance.now() - since >= GIVES_WAY_AFTER_MS;
}
