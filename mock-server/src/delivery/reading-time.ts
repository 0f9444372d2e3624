/** How long answers may be parsed in one turn of the event loop. */
const READING_MAX_MS = 2;

/**
 * The time that all connections to receivers share for parsing answers. A receiver can send what is slow to parse, a body
 * in pieces of one byte for example, and hundreds can do so at once. Nobody else should wait for all of them.
 */
export interface ReadingTime {
  /** Whether a connection may read on. If not, `resume` is called in a later turn. */
  hasTime(resume: () => void): boolean;
}

export function createReadingTime(maxMs = READING_MAX_MS, now = () => performance.now()): ReadingTime {
  /** Connections that wait for their time, the longest-waiting one first. */
  let waiting: (() => void)[] = [];
  /** When the time of this turn is over; `undefined` before anyone reads in it. */
  let endsAt: number | undefined;
  /** Whether the connection that reads now has waited and has not read since. */
  let isFirst = false;
  let areOthersWaiting = false;

  function nextTurn(): void {
    endsAt = undefined;
    const queued = waiting;
    waiting = [];
    let resumed = 0;
    // A connection that needs more time joins the end of the line, so each one reads a piece before any reads two.
    while (resumed < queued.length && (endsAt === undefined || now() < endsAt)) {
      isFirst = true;
      areOthersWaiting = resumed + 1 < queued.length;
      queued[resumed++]?.();
    }
    isFirst = false;
    areOthersWaiting = false;
    if (resumed < queued.length) waiting = [...queued.slice(resumed), ...waiting];
  }

  return {
    hasTime(resume) {
      const at = now();
      if (endsAt === undefined) {
        endsAt = at + maxMs;
        setImmediate(nextTurn);
      }
      const mayRead = isFirst || (at < endsAt && !areOthersWaiting);
      isFirst = false;
      if (!mayRead) waiting.push(resume);
      return mayRead;
    },
  };
}
