import { randomUUID } from 'node:crypto';
import type { Timer } from '../../runtime/timers.ts';
import {
  beginSession,
  endSession,
  endSessions,
  listOtherSessions,
  renewSession,
  type StoredSession,
} from '../../storage/delivery/sessions.ts';
import { BLIND_AFTER_MS, GONE_AFTER_MS, RENEWAL_INTERVAL_MS, START_MARGIN_MS } from '../limits.ts';
import type { DispatcherTools } from '../tools.ts';

/** The dependencies and settings that {@link createNodeSession} takes. */
export interface NodeSessionOptions extends Pick<DispatcherTools, 'storage' | 'timers' | 'logger'> {
  /** Whether other nodes may use the same database. */
  isShared: boolean;
  /** The longest time of one attempt. */
  timeoutMs: number;
  /** Draws the random id of a session. */
  drawSession?: (() => string) | undefined;
  /** The session of this node has ended. The node no longer holds any lanes. */
  onEnded(): void;
  /** The lanes of a node that is gone are free. */
  onFreed(): void;
}

/** The session under which this node holds lanes and stores results. */
export type NodeSession = ReturnType<typeof createNodeSession>;

/**
 * Keeps a session for the whole node, and begins the next one when it has ended. While it runs, the node renews its
 * session and watches the other nodes. The session of a node that has not renewed for {@link GONE_AFTER_MS} is ended,
 * but only if this node could read the sessions all that time: during an outage of the database no node can renew, and
 * none is gone. No clocks are compared.
 */
export function createNodeSession(options: NodeSessionOptions) {
  const { storage, timers, logger, isShared, timeoutMs, drawSession = randomUUID } = options;
  let session = drawSession();
  /** When the latest renewal that succeeded was sent, or undefined without a session. */
  let renewedAt: number | undefined;
  let beginning: Promise<void> | undefined;
  let timer: Timer | undefined;
  let hasLeft = false;
  const watch = createWatch(options);

  async function begin(): Promise<void> {
    const next = drawSession();
    const sentAt = timers.now();
    await storage.write((queries) => beginSession(queries, next));
    session = next;
    renewedAt = sentAt;
  }

  function ensure(): Promise<void> {
    if (renewedAt !== undefined || hasLeft) return Promise.resolve();
    beginning ??= begin().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  function ended(gone: string): void {
    if (gone !== session || renewedAt === undefined) return;
    renewedAt = undefined;
    options.onEnded();
  }

  async function renew(): Promise<void> {
    const renewing = session;
    const sentAt = timers.now();
    if (renewedAt === undefined) return ensure();
    if (!(await storage.write((queries) => renewSession(queries, renewing)))) ended(renewing);
    else if (renewing === session && renewedAt !== undefined) renewedAt = sentAt;
  }

  async function tick(): Promise<void> {
    try {
      await renew();
      await watch.look(session);
    } catch (error) {
      // Log it at debug level only, because the dispatcher reports that the database is away.
      logger.debug({ err: error }, 'cannot renew the lease of this node');
    }
    if (timer) timer = timers.after(RENEWAL_INTERVAL_MS, tick, { keepsAlive: false });
  }
  if (isShared) timer = timers.after(0, tick, { keepsAlive: false });

  return {
    /** The id of the current session. */
    id: () => session,
    /** Whether this is the current session and has not ended. */
    holds: (of: string) => of === session && renewedAt !== undefined,
    /**
     * Whether an attempt that starts now ends before another node may make the same attempt. If the database does not
     * answer, or this process was frozen, it does not.
     */
    mayStart(): boolean {
      if (renewedAt === undefined) return false;
      return !isShared || timers.now() - renewedAt < GONE_AFTER_MS - timeoutMs - START_MARGIN_MS;
    },
    /** Begins a session if there is none. Call before claiming lanes. */
    ensure,
    /** Reports that the database no longer knows this session. */
    ended,
    /** Ends the session, which releases all its lanes. */
    async leave(): Promise<void> {
      hasLeft = true;
      // Otherwise, a session that is just beginning would stay in the database.
      await beginning;
      if (renewedAt === undefined) return;
      renewedAt = undefined;
      await storage.write((queries) => endSessions(queries, [session]));
    },
    /** Stops renewing. */
    stop(): void {
      timer?.cancel();
      timer = undefined;
    },
  };
}

/** Watches the sessions of other nodes and ends those that are not renewed. */
function createWatch({ storage, timers, logger, onFreed }: NodeSessionOptions) {
  /** Since when each session has this number of renewals. */
  const seen = new Map<string, { renewals: number; since: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function isGone({ id, renewals }: StoredSession, now: number): boolean {
    const known = seen.get(id);
    if (known?.renewals === renewals) return now - known.since >= GONE_AFTER_MS;
    seen.set(id, { renewals, since: now });
    return false;
  }

  return {
    async look(own: string): Promise<void> {
      const sessions = await storage.read((queries) => listOtherSessions(queries, own));
      const now = timers.now();
      if (now - lookedAt > BLIND_AFTER_MS) seen.clear();
      lookedAt = now;
      for (const id of seen.keys()) if (!sessions.some((other) => other.id === id)) seen.delete(id);
      for (const other of sessions) {
        if (!isGone(other, now) || !(await storage.write((queries) => endSession(queries, other)))) continue;
        logger.warn({ session: other.id }, 'a server is gone; its lanes were taken back');
        onFreed();
      }
    },
  };
}
