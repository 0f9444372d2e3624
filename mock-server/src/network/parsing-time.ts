/**
 * How much of the time of the event loop reading may take: a quarter of the latest pass, but at least 2 ms and at most 10
 * ms in one pass.
 */
const READING_SHARE = 1 / 4;
const READING_MIN_MS = 2;
const READING_MAX_MS = 10;
/** How long a connection that has waited may read before the next connection reads. */
const TURN_MAX_MS = 0.25;
/**
 * An owner that has used less reading time than this, in the last seconds, may always read. Only other owners wait until
 * reading as a whole has taken no more than its share.
 */
const LIGHT_MAX_MS = 20;
/** After this time, only half of the reading time that an owner has used still counts. */
const HALF_LIFE_MS = 10_000;
/** The number of owners above which the owners whose use no longer counts are forgotten. */
const OWNERS_KEPT = 1_000;

/**
 * The time for TLS handshakes and for parsing responses that all connections share. A server can send data that is slow
 * to read, such as a long certificate chain, or a body in chunks of one byte. If hundreds of servers send such data at
 * the same time, all other work must still continue.
 *
 * The owner of a connection is its workspace. While connections wait, the owner that has used the least time reads
 * first. So the connections of one workspace hardly delay the connections of another workspace.
 */
export interface ReadingTime {
  /**
   * Whether a connection may continue to read. If not, `resume` is called in a later pass of the event loop. Then the
   * connection may read at least one piece.
   */
  hasTime(resume: () => void, owner: unknown): boolean;
  /**
   * Calls `read` in a later pass of the event loop. For work that may take much longer than parsing a piece of a
   * response: its time is measured.
   */
  wait(read: () => void, owner: unknown): void;
}

/** @param minMs - The minimum reading time in one pass of the event loop. */
export function createReadingTime(now = () => performance.now(), minMs = READING_MIN_MS): ReadingTime {
  const waiting = createRotation<() => void>();
  const used = createUse(now);
  let passBeganAt: number | undefined;
  /** By how much reading has exceeded its share. */
  let debtMs = 0;
  /**
   * The moment at which the reading time of the current pass is used up. `undefined` if no connection has read in this
   * pass.
   */
  let endsAt: number | undefined;
  /** Set while a connection that has waited reads. */
  let turn: { endsAt: number; isFirstPiece: boolean } | undefined;

  function beginPass(at: number): number {
    const shareMs = (at - (passBeganAt ?? at)) * READING_SHARE;
    passBeganAt = at;
    debtMs = Math.max(0, debtMs - shareMs);
    endsAt = at + Math.min(READING_MAX_MS, Math.max(minMs, shareMs));
    return endsAt;
  }

  /** Begins the reading of a pass that no waiting connection has begun. */
  function beginNow(at: number): number {
    setImmediate(nextPass);
    return beginPass(at);
  }

  function nextPass(): void {
    endsAt = undefined;
    if (waiting.isEmpty()) return;
    const until = beginPass(now());
    const hasRead = readNext();
    while (hasRead && now() < until && readNext());
    // If no connection may read, wait a moment, because the next passes could be very short.
    if (hasRead) setImmediate(nextPass);
    else setTimeout(nextPass, 1);
  }

  /** Lets one waiting connection read. Returns false if none may read now. */
  function readNext(): boolean {
    const next = waiting.take(used.by, debtMs > 0 ? LIGHT_MAX_MS : Number.POSITIVE_INFINITY);
    if (!next) return false;
    const at = now();
    turn = { endsAt: at + TURN_MAX_MS, isFirstPiece: true };
    next.item();
    turn = undefined;
    const endedAt = now();
    used.add(next.owner, endedAt - at);
    debtMs += Math.max(0, endedAt - (endsAt ?? endedAt));
    return true;
  }

  function mayRead(at: number): boolean {
    const until = endsAt ?? beginNow(at);
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
    wait(read, owner) {
      if (endsAt === undefined) beginNow(now());
      waiting.add(owner, read);
    },
  };
}

/** Creates a line in which items of several owners wait. */
function createRotation<Item>() {
  const lines = new Map<unknown, Item[]>();
  return {
    isEmpty: () => lines.size === 0,
    add(owner: unknown, item: Item): void {
      const line = lines.get(owner);
      if (line) line.push(item);
      else lines.set(owner, [item]);
    },
    /**
     * Removes and returns the first item of the owner that has used the least. If several owners have used the same, they
     * take turns. Returns `undefined` if no owner has used less than `max`.
     */
    take(usedBy: (owner: unknown) => number, max: number): { owner: unknown; item: Item } | undefined {
      let least: { owner: unknown; line: Item[]; use: number } | undefined;
      for (const [owner, line] of lines) {
        const use = usedBy(owner);
        if (use < (least?.use ?? max)) least = { owner, line, use };
      }
      if (!least) return undefined;
      const { owner, line } = least;
      lines.delete(owner);
      const item = line.shift() as Item;
      if (line.length > 0) lines.set(owner, line);
      return { owner, item };
    },
  };
}

/** Measures how much reading time each owner has used lately. */
function createUse(now: () => number) {
  const uses = new Map<unknown, { ms: number; at: number }>();
  const by = (owner: unknown): number => {
    const use = uses.get(owner);
    return use === undefined ? 0 : use.ms * 2 ** ((use.at - now()) / HALF_LIFE_MS);
  };
  return {
    by,
    add(owner: unknown, ms: number): void {
      uses.set(owner, { ms: by(owner) + ms, at: now() });
      if (uses.size <= OWNERS_KEPT) return;
      for (const other of uses.keys()) if (by(other) < 1) uses.delete(other);
    },
  };
}
