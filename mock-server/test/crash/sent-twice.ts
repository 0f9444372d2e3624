import type { Request } from './receiver.ts';

/** A time, on the process's monotonic clock, in which results may have been lost: a node was killed, or its database. */
export interface Break {
  from: number;
  to: number;
}

/** How long before a break a request may have been answered whose result was not on disk yet. */
export const UNWRITTEN_MS = 1_000;
/** How long after a node's death the receiver may still find what it sent before, and that it is gone. */
export const UNREAD_MS = 100;

/** What a break can have had sent twice. */
export interface UnderWay {
  /** Requests that were answered during a break, or whose sender left then. */
  open: number;
  /**
   * Requests that were answered from {@link UNWRITTEN_MS} before a break to {@link UNREAD_MS} behind it, by whichever
   * node: a receiver sees neither who sends nor what is written of its answers.
   */
  answered: number;
}

/** Of the requests of a delivery, or of many, those that a break found under way, as the receiver saw them. */
export function underWay(requests: readonly Request[], breaks: readonly Break[]): UnderWay {
  const count: UnderWay = { open: 0, answered: 0 };
  for (const { endedAt, isAnswered } of requests) {
    if (endedAt === undefined) continue;
    const met = breaks.filter(({ from, to }) => from - UNWRITTEN_MS <= endedAt && endedAt <= to + UNREAD_MS);
    if (met.some(({ from, to }) => endedAt >= from && (!isAnswered || endedAt <= to))) count.open++;
    else if (met.length > 0 && isAnswered) count.answered++;
  }
  return count;
}
