import { randomUUID } from 'node:crypto';
import { GONE_AFTER_MS, RENEWAL_INTERVAL_MS } from '../../domain/node-watch.ts';
import type { Timer } from '../../runtime/timers.ts';
import {
  beginSession,
  endSession,
  endSessions,
  listOtherSessions,
  renewSession,
} from '../../storage/delivery/node-sessions.ts';
import type { NodeTable } from '../../storage/schema/webhooks.ts';
import type { DispatcherTools } from '../tools.ts';
import { BLIND_AFTER_MS, START_MARGIN_MS } from '../tuning.ts';

export interface NodeSessionOptions extends Pick<DispatcherTools, 'storage' | 'timers' | 'logger'> {
  isShared: boolean;
  timeoutMs: number;
  drawSession?: (() => string) | undefined;
  /**
   * Reads the stored clock. Called before a session begins. Another node may have replaced the data and set the clock
   * back, which ended the previous session. Without this read, this node could use the clock of the old data to decide
   * which lanes are due.
   */
  readClock?: (() => Promise<void>) | undefined;
  /** Called when this node's session has ended, so the node holds no lanes. */
  onEnded(): void;
  /** Called when another node is gone and its lanes are free. */
  onFreed(): void;
}

export type NodeSession = ReturnType<typeof createNodeSession>;

/**
 * Keeps and renews one session for this node, begins a new session when the old one has ended, and watches the sessions
 * of the other nodes. If another node has not renewed its session for {@link GONE_AFTER_MS}, this node ends that
 * session. If this node could not read the sessions during that time, it does not end any session: in a database
 * outage, no node can renew its session, although the nodes are not gone. The clocks of different nodes are never
 * compared.
 */
export function createNodeSession(options: NodeSessionOptions) {
  const { storage, timers, logger, isShared, timeoutMs, drawSession = randomUUID } = options;
  let session = drawSession();
  /** When this node sent the latest successful renewal of its session. `undefined` without a session. */
  let renewedAt: number | undefined;
  let beginning: Promise<void> | undefined;
  let timer: Timer | undefined;
  let hasLeft = false;
  const watch = createWatch(options);

  async function begin(): Promise<void> {
    await options.readClock?.();
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
      // Log at debug level only, because the dispatcher also reports an unreachable database.
      logger.debug({ err: error }, 'cannot renew the lease of this node');
    }
    if (timer) timer = timers.after(RENEWAL_INTERVAL_MS, tick, { keepsAlive: false });
  }
  if (isShared) timer = timers.after(0, tick, { keepsAlive: false });

  return {
    isShared,
    id: () => session,
    /** Whether the given session is the current one and has not ended. */
    holds: (of: string) => of === session && renewedAt !== undefined,
    /**
     * Whether an attempt that starts now will surely end before another node could repeat the attempt. False if the
     * database has not responded for a while, or if this process was frozen.
     */
    mayStart(): boolean {
      if (renewedAt === undefined) return false;
      return !isShared || timers.now() - renewedAt < GONE_AFTER_MS - timeoutMs - START_MARGIN_MS;
    },
    /** Begins a session if this node has none. Call this before claiming lanes. */
    ensure,
    /** Call this if the database does not contain the given session. */
    ended,
    async leave(): Promise<void> {
      hasLeft = true;
      // Wait for a session that is just beginning. Otherwise, that session would stay in the database.
      await beginning;
      if (renewedAt === undefined) return;
      renewedAt = undefined;
      await storage.write((queries) => endSessions(queries, [session]));
    },
    stop(): void {
      timer?.cancel();
      timer = undefined;
    },
  };
}

function createWatch({ storage, timers, logger, onFreed }: NodeSessionOptions) {
  /** For each session of another node: the number of renewals, and when this node first saw that number. */
  const seen = new Map<string, { renewals: number; since: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function isGone({ id, renewals }: NodeTable, now: number): boolean {
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
        logger.warn({ session: other.id }, 'another server is gone; the lanes of that server are free again');
        onFreed();
      }
    },
  };
}
