/**
 * The part of the event loop's time for reading: a quarter of the latest pass, but at least 2 ms and at most 10 ms in
 * one pass. After a read that is longer than {@link SLOW_MS}, slow owners wait until other work has had three times the
 * excess time.
 */
const READING_SHARE = 1 / 4;
const READING_MIN_MS = 2;
const READING_MAX_MS = 10;
/** How long a connection that has waited may read before the next connection reads. */
const TURN_MAX_MS = 0.25;
/**
 * An owner is slow if one of its reads has taken longer than this. The limit is above the time for a pass, because on a
 * busy machine, even a short read sometimes takes that long.
 */
const SLOW_MS = 15;
/** After this time, only half of the reading time that an owner has used still counts. */
const HALF_LIFE_MS = 10_000;
/** The used reading time of an owner is reduced at most once in this period, so that comparing owners stays fast. */
const STEP_MS = 100;
/** If there are more owners than this, the owners whose used reading time no longer counts are removed. */
const OWNERS_KEPT = 1_000;

/**
 * The time that all connections share for TLS handshakes and for parsing responses. A server can send data that is slow
 * to read, such as a long certificate chain, or a body in chunks of one byte. If hundreds of servers send such data at
 * the same time, all other work must still continue.
 *
 * The owner of a connection is the workspace of its request, or the client of the connection if no workspace is given.
 * While connections wait, the owner that has used the least time reads first. So the connections of one workspace
 * hardly delay the connections of another workspace.
 */
export interface ReadingTime {
  /**
   * Whether a connection may continue to read. If not, `resume` is called in a later pass of the event loop. Then the
   * connection may read at least one piece.
   */
  hasTime(resume: () => void, owner: unknown): boolean;
  /**
   * Calls `read` in a later pass of the event loop. Use `wait` for work that may take much longer than parsing a piece
   * of a response. The time of `read` always counts for the owner.
   */
  wait(read: () => void, owner: unknown): void;
}

/** @param minMs - The minimum reading time in one pass of the event loop. */
export function createReadingTime(now = () => performance.now(), minMs = READING_MIN_MS): ReadingTime {
  const waiting = createRotation<() => void>();
  const uses = createUses();
  let passBeganAt: number | undefined;
  /**
   * The total time by which slow reads have exceeded the limit for a pass. Above 0, slow owners wait. Only their own
   * reads count, so that other owners cannot keep them waiting.
   */
  let debtMs = 0;
  /**
   * The moment at which the reading time of the current pass is used up. `undefined` if no connection has read in this
   * pass.
   */
  let endsAt: number | undefined;
  /** Set while a connection reads after it has waited. */
  let turn: { endsAt: number; isFirstPiece: boolean } | undefined;

  function beginPass(at: number): number {
    const shareMs = (at - (passBeganAt ?? at)) * READING_SHARE;
    passBeganAt = at;
    debtMs = Math.max(0, debtMs - shareMs);
    endsAt = at + Math.min(READING_MAX_MS, Math.max(minMs, shareMs));
    return endsAt;
  }

  /** Begins the reading time of the current pass of the event loop, if `nextPass` has not begun this time. */
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
    // If no connection may read, wait 1 ms. Passes can be very short, so the loop would run many passes in vain.
    if (hasRead) setImmediate(nextPass);
    else setTimeout(nextPass, 1);
  }

  /** Lets one waiting connection read. Returns false if no connection may read now. */
  function readNext(): boolean {
    const at = now();
    const next = waiting.take((owner) => uses.by(owner, at), debtMs > 0);
    if (!next) return false;
    turn = { endsAt: at + TURN_MAX_MS, isFirstPiece: true };
    next.item();
    turn = undefined;
    const endedAt = now();
    const tookMs = endedAt - at;
    uses.add(next.owner, tookMs, endedAt);
    if (tookMs > SLOW_MS) debtMs += tookMs - READING_MAX_MS;
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
     * Removes and returns the first item of the owner that has used the least reading time. Owners that have used the
     * same time take turns. If `isInDebt` is true, skips slow owners, and returns `undefined` if all owners are slow.
     */
    take(useOf: (owner: unknown) => Readonly<Use>, isInDebt: boolean): { owner: unknown; item: Item } | undefined {
      const slowMs = isInDebt ? SLOW_MS : Number.POSITIVE_INFINITY;
      let owner: unknown;
      let line: Item[] | undefined;
      let leastMs = Number.POSITIVE_INFINITY;
      // Every read that has waited passes through this loop, so the loop creates no objects for the owners.
      for (const [other, otherLine] of lines) {
        const { ms, longestMs } = useOf(other);
        if (longestMs > slowMs || ms >= leastMs) continue;
        owner = other;
        line = otherLine;
        leastMs = ms;
      }
      if (!line) return undefined;
      lines.delete(owner);
      const item = line.shift() as Item;
      if (line.length > 0) lines.set(owner, line);
      return { owner, item };
    },
  };
}

/** The reading time that an owner has used. The older a read is, the less its time counts. */
interface Use {
  ms: number;
  /** The time of the longest read. */
  longestMs: number;
  at: number;
}

const NO_USE: Readonly<Use> = { ms: 0, longestMs: 0, at: 0 };

/** Measures how much reading time each owner has used lately. */
function createUses() {
  const uses = new Map<unknown, Use>();

  /** Reduces the times of a use according to its age. */
  function decay(use: Use, time: number): Use {
    if (time - use.at < STEP_MS) return use;
    const part = 2 ** ((use.at - time) / HALF_LIFE_MS);
    return Object.assign(use, { ms: use.ms * part, longestMs: use.longestMs * part, at: time });
  }

  return {
    by(owner: unknown, time: number): Readonly<Use> {
      const use = uses.get(owner);
      return use === undefined ? NO_USE : decay(use, time);
    },
    add(owner: unknown, ms: number, time: number): void {
      const known = uses.get(owner);
      if (known === undefined) {
        uses.set(owner, { ms, longestMs: ms, at: time });
        if (uses.size > OWNERS_KEPT) for (const [other, use] of uses) if (decay(use, time).ms < 1) uses.delete(other);
        return;
      }
      const use = decay(known, time);
      use.ms += ms;
      use.longestMs = Math.max(use.longestMs, ms);
    },
  };
}
