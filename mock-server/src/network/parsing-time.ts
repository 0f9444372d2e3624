import { RecentMap } from '../runtime/recent-map.ts';

/**
 * In each pass of the event loop, connections may read for a quarter of the time that the previous pass took, but at
 * least for 2 ms and at most for 10 ms.
 */
const READING_SHARE = 1 / 4;
const READING_MIN_MS = 2;
const READING_MAX_MS = 10;
/** How long a connection that has waited may read before the next connection reads. */
const ONE_CONNECTION_MAX_MS = 0.25;
/** An owner that begins to wait goes before owners that already wait, until it has used this much reading time. */
const CREDIT_MS = 10;
const OWNERS_KEPT = 1_000;

/**
 * The time that all connections share for TLS handshakes and for parsing responses. A server can send data that is slow
 * to read, such as a body in chunks of one byte. All other work must continue even if hundreds of servers send such
 * data at the same time.
 *
 * The owner of a connection is the workspace of its request, or the client if no workspace is given. While connections
 * wait, each owner gets an equal share of the time, and an owner that needs less than its share hardly waits.
 */
export interface ReadingTime {
  /**
   * Whether a connection may continue to read. If not, `resume` is called in a later pass of the event loop, and the
   * connection may then read at least one piece.
   */
  hasTime(resume: () => void, owner: unknown): boolean;
  /** Calls `read` in a later event-loop pass. Use `wait` for work that may take much longer than parsing a piece. */
  wait(read: () => void, owner: unknown): void;
  /**
   * Like {@link wait}, but for the start of a TLS handshake. Handshake starts have a separate reading time, so they do
   * not delay other workspaces, which may be about to finish their handshakes.
   */
  start(handshake: () => void, owner: unknown): void;
}

export function createReadingTime(now = () => performance.now(), minMs = READING_MIN_MS): ReadingTime {
  return { ...createReadingQueue(now, minMs), start: createReadingQueue(now, minMs).wait };
}

function createReadingQueue(now: () => number, minMs: number): Omit<ReadingTime, 'start'> {
  const waiting = createRotation<() => void>();
  let passBeganAt: number | undefined;
  /** When the time for reading in this pass ends. `undefined` if no connection has read in this pass. */
  let endsAt: number | undefined;
  /** The current read of a connection that had to wait. `undefined` while no such connection is reading. */
  let reading: { endsAt: number; isFirstPiece: boolean } | undefined;

  function beginPass(at: number): number {
    const shareMs = (at - (passBeganAt ?? at)) * READING_SHARE;
    passBeganAt = at;
    endsAt = at + Math.min(READING_MAX_MS, Math.max(minMs, shareMs));
    return endsAt;
  }

  /** Begins the reading time of the current pass. Call this only if this time has not begun yet. */
  function beginNow(at: number): number {
    setImmediate(nextPass);
    return beginPass(at);
  }

  function nextPass(): void {
    endsAt = undefined;
    if (waiting.isEmpty()) return;
    const until = beginPass(now());
    do readNext();
    while (now() < until && !waiting.isEmpty());
    setImmediate(nextPass);
  }

  function readNext(): void {
    const at = now();
    const { item, used } = waiting.take();
    reading = { endsAt: at + ONE_CONNECTION_MAX_MS, isFirstPiece: true };
    item();
    reading = undefined;
    used(now() - at);
  }

  function mayRead(at: number): boolean {
    const until = endsAt ?? beginNow(at);
    if (reading === undefined) return at < until && waiting.isEmpty();
    const { isFirstPiece } = reading;
    reading.isFirstPiece = false;
    return isFirstPiece || at < reading.endsAt;
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

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996). Each owner has a tag: the virtual time at which its next item
 * may start. The owner with the lowest tag comes next, and the virtual time advances to this tag. Then the tag grows by
 * the time that the item has used. As soon as no owner is waiting, the virtual time becomes the highest tag. So the
 * time that an owner used before this moment does not delay the owner's later items.
 */
function createRotation<Item>() {
  const lines = new Map<unknown, { tag: number; items: Item[] }>();
  /** The tags of all owners, even of owners that are not waiting. */
  const tags = new RecentMap<number, unknown>(OWNERS_KEPT);
  let virtualTime = 0;
  let highestTag = 0;

  return {
    isEmpty: () => lines.size === 0,
    add(owner: unknown, item: Item): void {
      const line = lines.get(owner);
      if (line) line.items.push(item);
      else lines.set(owner, { tag: Math.max(virtualTime - CREDIT_MS, tags.get(owner) ?? 0), items: [item] });
    },
    /** Owners with the same tag take turns. Call `used` with the time that the item took. */
    take(): { item: Item; used(ms: number): void } {
      let owner: unknown;
      let first = { tag: Number.POSITIVE_INFINITY, items: [] as Item[] };
      // This loop runs for every read that has waited, so it creates no objects.
      for (const [other, line] of lines) {
        if (line.tag >= first.tag) continue;
        owner = other;
        first = line;
      }
      virtualTime = Math.max(virtualTime, first.tag);
      lines.delete(owner);
      const item = first.items.shift() as Item;
      if (first.items.length > 0) lines.set(owner, first);
      const used = (ms: number) => {
        const tag = first.tag + ms;
        tags.set(owner, tag);
        const line = lines.get(owner);
        if (line) line.tag = tag;
        highestTag = Math.max(highestTag, tag);
        if (lines.size === 0) virtualTime = highestTag;
      };
      return { item, used };
    },
  };
}
