/** How long responses may be parsed in one pass of the event loop. */
const READING_MAX_MS = 2;

/**
 * The parsing time that all connections share. A server can send data that is slow to parse, such as a
 * body in chunks of one byte, and hundreds can do so at once. Everything else must not wait for all of them.
 */
export interface ReadingTime {
  /** Whether a connection may continue to read. If not, `resume` is called in a later pass. */
  hasTime(resume: () => void): boolean;
}

export function createReadingTime(maxMs = READING_MAX_MS, now = () => performance.now()): ReadingTime {
  /** Connections that wait for parsing time, longest wait first. */
  let waiting: (() => void)[] = [];
  /** When this pass's time is used up. `undefined` if nothing has read in this pass. */
  let endsAt: number | undefined;
  /** Whether the current connection has waited and has not read since. */
  let isFirst = false;
  let areOthersWaiting = false;

  function nextPass(): void {
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
        setImmediate(nextPass);
      }
      const mayRead = isFirst || (at < endsAt && !areOthersWaiting);
      isFirst = false;
      if (!mayRead) waiting.push(resume);
      return mayRead;
    },
  };
}
