import type { IncomingMessage } from 'node:http';

/** The time limit of each request that is still being sent. */
const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Cuts a request off if it is not completely sent in time. */
export function expectBodyWithin(incoming: IncomingMessage, ms: number, cutOff: () => void): void {
  const deadline = setTimeout(() => {
    if (!incoming.complete) cutOff();
  }, ms);
  deadlines.set(incoming, deadline);
  incoming.once('close', () => clearTimeout(deadline));
}

/** Removes the time limit of a request. Its reader sets the pace from now on. */
export function letBodyTakeItsTime(incoming: IncomingMessage): void {
  clearTimeout(deadlines.get(incoming));
}
