import { setTimeout as delay } from 'node:timers/promises';
import { lockLifecycle } from '../storage/changes/profiles.ts';
import { DataReplacedError, type Storage } from '../storage/port.ts';
import {
  claimLifecycle,
  extendLifecycleLease,
  type LifecycleLease,
  releaseLifecycle,
} from '../storage/statements/profiles/lifecycles.ts';

/** The length of a lease, and how often a node extends its leases. */
export const LEASE_MS = 30_000;
const EXTEND_INTERVAL_MS = 8_000;
/** How often a request checks whether the workspace has been released. */
const POLL_INTERVAL_MS = 50;

/** Thrown when another node has taken over a workspace, so that this node's work on the workspace does not count. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export interface HeldLease extends LifecycleLease {
  signal: AbortSignal;
}

export type Leases = ReturnType<typeof createLeases>;

/** Claims workspaces, and extends each claim while its work runs. `stopped` returns the signal that ends all work. */
export function createLeases(storage: Storage, stopped: () => AbortSignal) {
  async function keep<Result>(lease: LifecycleLease, work: (held: HeldLease) => Promise<Result>): Promise<Result> {
    const lost = new AbortController();
    const stop = stopped();
    const extend = setInterval(async () => {
      try {
        const isHeld = await storage.write((queries) => extendLifecycleLease(queries, lease, LEASE_MS));
        if (!isHeld) lost.abort(new LeaseLostError('Another server has taken over this workspace.'));
      } catch (error) {
        // After any other error, this node may still hold the lease.
        if (error instanceof DataReplacedError) lost.abort(error);
      }
    }, EXTEND_INTERVAL_MS);
    try {
      return await work({ ...lease, signal: AbortSignal.any([lost.signal, stop]) });
    } finally {
      clearInterval(extend);
      await storage.write((queries) => releaseLifecycle(queries, lease)).catch(() => {});
    }
  }

  return {
    keep,
    /**
     * Waits until no node holds the workspace, claims the workspace through `storage`, and runs `work`. If another node
     * takes over the workspace, waits again and then runs `work` again.
     */
    async untilDone<Result>(
      workspaceId: string,
      storage: Pick<Storage, 'write'>,
      work: (held: HeldLease) => Promise<Result>,
      onLost: (workspaceId: string, error: LeaseLostError) => void,
    ): Promise<Result> {
      // Create the row, because a workspace without profiles may have no row.
      await storage.write((queries) => lockLifecycle(queries, workspaceId));
      for (;;) {
        const stop = stopped();
        stop.throwIfAborted();
        const lease = await storage.write((queries) => claimLifecycle(queries, workspaceId, LEASE_MS));
        try {
          if (lease) return await keep(lease, work);
          await delay(POLL_INTERVAL_MS, undefined, { signal: stop }).catch(() => {});
        } catch (error) {
          if (!(error instanceof LeaseLostError)) throw error;
          onLost(workspaceId, error);
        }
      }
    },
  };
}
