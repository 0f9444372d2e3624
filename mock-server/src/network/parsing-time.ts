/**
 * How much of the time of the event loop responses may be parsed: a quarter of the latest pass, but at least 2 ms and at
 * most 10 ms in one pass.
 */
const READING_SHARE = 1 / 4;
const READING_MIN_MS = 2;
const READING_MAX_MS = 10;
/** How long a connection that has waited may read before the next connection reads. */
const TURN_MAX_MS = 0.25;

/**
 * The parsing time that all connections share. A server can send data that is slow to parse, such as a body in chunks
 * of one byte. If hundreds of servers send such data at the same time, all other work must still continue.
 */
export interface ReadingTime {
  /**
   * Whether a connection may continue to read. If not, `resume` is called in a later pass of the event loop. Then the
   * connection may read at least one piece.
   *
   * @param owner - Identifies the workspace of the connection. Workspaces read in rotation, so the connections of one
   *   workspace hardly delay the connections of another workspace.
   */
  hasTime(resume: () => void, owner: unknown): boolean;
}

/** @param minMs - The minimum parsing time in one pass of the event loop. */
export function createReadingTime(now = () => performance.now(), minMs = READING_MIN_MS): ReadingTime {
  const waiting = createRotation<() => void>();
  let passBeganAt: number | undefined;
  /**
   * The moment at which the parsing time of the current pass is used up. `undefined` if no connection has read in this
   * pass.
   */
  let endsAt: number | undefined;
  /** Set while a connection that has waited reads. */
  let turn: { endsAt: number; isFirstPiece: boolean } | undefined;

  function beginPass(at: number): number {
    const lastPassMs = at - (passBeganAt ?? at);
    passBeganAt = at;
    endsAt = at + Math.min(READING_MAX_MS, Math.max(minMs, lastPassMs * READING_SHARE));
    setImmediate(nextPass);
    return endsAt;
  }

  function nextPass(): void {
    endsAt = undefined;
    if (waiting.isEmpty()) return;
    let at = now();
    const until = beginPass(at);
    do {
      turn = { endsAt: at + TURN_MAX_MS, isFirstPiece: true };
      waiting.take()?.();
      turn = undefined;
      at = now();
    } while (at < until && !waiting.isEmpty());
  }

  function mayRead(at: number): boolean {
    const until = endsAt ?? beginPass(at);
    if (turn === undefined) return at < until && waiting.isEmpty();
    const { isFirstPiece } = turn;
    turn.isFirstPiece = false;
    return isFirstPiece || at < turn.endsAt;
  }

  return {
    hasTime(resume, owner) {
      const hasTime = mayRead(now());
      if (!hasTime) waiting.add(owner, resume);
      return hasTime;
    },
  };
}

/** Creates a line in which owners take turns, and so do the items of each owner. */
function createRotation<Item>() {
  const lines = new Map<unknown, Item[]>();
  return {
    isEmpty: () => lines.size === 0,
    add(owner: unknown, item: Item): void {
      const line = lines.get(owner);
      if (line) line.push(item);
      else lines.set(owner, [item]);
    },
    /** Removes and returns the next item. */
    take(): Item | undefined {
      const [next] = lines;
      if (next === undefined) return undefined;
      const [owner, line] = next;
      lines.delete(owner);
      const item = line.shift();
      if (line.length > 0) lines.set(owner, line);
      return item;
    },
  };
}
