import type { IncomingMessage } from 'node:http';

/** What cuts off a request that is not sent in time, for each that is being sent. */
const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Cuts a request off that is not sent in time. */
export function expectBodyWithin(incoming: IncomingMessage, ms: number, cutOff: () => void): void {
  const deadline = setTimeout(() => {
    if (!incoming.complete) cutOff();
  }, ms);
  deadlines.set(incoming, deadline);
  incoming.once('close', () => clearTimeout(deadline));
}

/** From now on a request may take as long as its reader lets it. */
export function letBodyTakeItsTime(incoming: IncomingMessage): void {
  clearTimeout(deadlines.get(incoming));
}
