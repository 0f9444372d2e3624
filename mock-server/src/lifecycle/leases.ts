import { EventEmitter, once } from 'node:events';
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
/** How often a node checks whether another node has released a workspace. */
const LOOK_INTERVAL_MS = 50;

/** Thrown when another node has taken over a workspace. The work of this node then does not count. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export interface HeldLease extends LifecycleLease {
  signal: AbortSignal;
}

export type Leases = ReturnType<typeof createLeases>;

/** Claims workspaces, and extends each claim while its work runs. `stopped` returns the signal that ends all work. */
export function createLeases(storage: Storage, stopped: () => AbortSignal) {
  const released = new EventEmitter().setMaxListeners(0);

  /** Resolves when this node releases the workspace, but after 50 ms at the latest: other nodes send no signal. */
  async function untilReleased(workspaceId: string, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const told = once(released, workspaceId, { signal: done.signal });
    await Promise.race([told, delay(LOOK_INTERVAL_MS, undefined, { signal })]).catch(() => {});
    done.abort();
  }

  const leases = {
    async keep<Result>(lease: LifecycleLease, work: (held: HeldLease) => Promise<Result>): Promise<Result> {
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
        released.emit(lease.workspaceId);
      }
    },
    /** Waits until no node holds the workspace, and claims it through `storage`. */
    async with<Result>(
      workspaceId: string,
      storage: Pick<Storage, 'write'>,
      work: (held: HeldLease) => Promise<Result>,
    ): Promise<Result> {
      for (;;) {
        const stop = stopped();
        stop.throwIfAborted();
        const lease = await storage.write((queries) => claimLifecycle(queries, workspaceId, LEASE_MS));
        if (lease) return await leases.keep(lease, work);
        await untilReleased(workspaceId, stop);
      }
    },
    /** Like `with`, but starts again after another node has taken over the workspace and released it. */
    async untilDone<Result>(
      workspaceId: string,
      storage: Pick<Storage, 'write'>,
      work: (held: HeldLease) => Promise<Result>,
      onLost: (error: LeaseLostError) => void,
    ): Promise<Result> {
      // Create the row: a workspace without profiles may have none.
      await storage.write((queries) => lockLifecycle(queries, workspaceId));
      for (;;) {
        try {
          return await leases.with(workspaceId, storage, work);
        } catch (error) {
          if (!(error instanceof LeaseLostError)) throw error;
          onLost(error);
        }
      }
    },
  };
  return leases;
}
