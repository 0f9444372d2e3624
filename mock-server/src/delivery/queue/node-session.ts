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
   * Reads the stored clock before a session begins: a reset may have ended the previous session and set the clock back.
   * With the old clock, this node could claim lanes that are not due.
   */
  readClock?: (() => Promise<void>) | undefined;
  onEnded(): void;
  /** Called when another node is gone and the lanes of that node are free. */
  onFreed(): void;
}

export type NodeSession = ReturnType<typeof createNodeSession>;

/**
 * Keeps and renews this node's session, and begins a new session when the old session has ended. Also ends any other
 * node's session that has not been renewed for {@link GONE_AFTER_MS}. Does not end that session if this node could not
 * read the sessions during that time: in a database outage, no node can renew its session, so the other nodes may still
 * be alive. The clocks of different nodes are never compared.
 */
export function createNodeSession(options: NodeSessionOptions) {
  const { storage, timers, logger, isShared, timeoutMs, drawSession = randomUUID } = options;
  let session = drawSession();
  /** When this node sent the latest successful renewal. `undefined` without a session. */
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
      await watch.check(session);
    } catch (error) {
      // Log this error only at the level `debug`, because the dispatcher also reports an unreachable database.
      logger.debug({ err: error }, 'cannot renew the session of this node');
    }
    if (timer) timer = timers.after(RENEWAL_INTERVAL_MS, tick, { keepsAlive: false });
  }
  if (isShared) timer = timers.after(0, tick, { keepsAlive: false });

  return {
    isShared,
    id: () => session,
    holds: (of: string) => of === session && renewedAt !== undefined,
    /**
     * Whether an attempt that starts now is certain to end before another node could repeat it. False if the database
     * has not responded for a while, or if this process was frozen.
     */
    mayStart(): boolean {
      if (renewedAt === undefined) return false;
      return !isShared || timers.now() - renewedAt < GONE_AFTER_MS - timeoutMs - START_MARGIN_MS;
    },
    ensure,
    /** Call this if the database does not contain the given session. */
    ended,
    async leave(): Promise<void> {
      hasLeft = true;
      // Without this wait, a session that is just beginning would stay in the database.
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
  /** For each session of another node: how often it was renewed, and when this node first saw this number. */
  const seen = new Map<string, { renewals: number; since: number }>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  function isGone({ id, renewals }: NodeTable, now: number): boolean {
    const known = seen.get(id);
    if (known?.renewals === renewals) return now - known.since >= GONE_AFTER_MS;
    seen.set(id, { renewals, since: now });
    return false;
  }

  return {
    async check(own: string): Promise<void> {
      const sessions = await storage.read((queries) => listOtherSessions(queries, own));
      const now = timers.now();
      if (now - checkedAt > BLIND_AFTER_MS) seen.clear();
      checkedAt = now;
      for (const id of seen.keys()) if (!sessions.some((other) => other.id === id)) seen.delete(id);
      for (const other of sessions) {
        if (!isGone(other, now) || !(await storage.write((queries) => endSession(queries, other)))) continue;
        logger.warn({ session: other.id }, 'another server is gone; the lanes of that server are free again');
        onFreed();
      }
    },
  };
}
