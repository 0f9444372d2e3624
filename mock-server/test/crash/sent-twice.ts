import type { Request } from './receiver.ts';

/**
 * A time span, on the process's monotonic clock, in which a node or its database was killed and results may be lost.
 */
export interface Break {
  from: number;
  to: number;
}

/**
 * If a request got its response within this time before a break, its result may not be on disk when the break begins.
 */
export const UNWRITTEN_MS = 1_000;
/** The receiver may need this long to read a dead node's last requests, or to notice that the node is gone. */
export const UNREAD_MS = 100;

/** Requests that may be sent twice because of a break. */
export interface UnderWay {
  /** Requests that got a response during a break, or whose sender disconnected then. */
  open: number;
  /**
   * Requests of any node that got a response from {@link UNWRITTEN_MS} before a break to {@link UNREAD_MS} after it.
   * The receiver sees neither which node sends a request nor whether the node has stored the response.
   */
  answered: number;
}

/** Counts the requests, of one delivery or many, that were in progress at a break, as the receiver saw them. */
export function underWay(requests: readonly Request[], breaks: readonly Break[]): UnderWay {
  const count: UnderWay = { open: 0, answered: 0 };
  for (const { endedAt, hasResponse } of requests) {
    if (endedAt === undefined) continue;
    const met = breaks.filter(({ from, to }) => from - UNWRITTEN_MS <= endedAt && endedAt <= to + UNREAD_MS);
    if (met.some(({ from, to }) => endedAt >= from && (!hasResponse || endedAt <= to))) count.open++;
    else if (met.length > 0 && hasResponse) count.answered++;
  }
  return count;
}
