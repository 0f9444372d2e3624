/** How long responses may be parsed in one pass of the event loop. */
const READING_MAX_MS = 2;

/**
 * The parsing time that all connections share. A server can send data that is slow to parse, such as a body in chunks
 * of one byte. If hundreds of servers send such data at the same time, all other work must still continue.
 */
export interface ReadingTime {
  /** Whether a connection may continue to read. If not, `resume` is called in a later pass of the event loop. */
  hasTime(resume: () => void): boolean;
}

export function createReadingTime(maxMs = READING_MAX_MS, now = () => performance.now()): ReadingTime {
  /** Connections that wait for parsing time, longest wait first. */
  let waiting: (() => void)[] = [];
  /**
   * The moment at which the parsing time of the current pass is used up. `undefined` if no connection has read in this
   * pass.
   */
  let endsAt: number | undefined;
  /** Whether the current connection has waited for parsing time, and has not read anything after the wait. */
  let isFirst = false;
  let areOthersWaiting = false;

  function nextPass(): void {
    endsAt = undefined;
    const queued = waiting;
    waiting = [];
    let resumed = 0;
    // A connection that needs more time goes to the end of the line. So every waiting connection reads one piece before
    // any connection reads a second piece.
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
