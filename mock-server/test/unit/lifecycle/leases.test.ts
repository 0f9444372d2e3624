import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLeases, type HeldLease, LEASE_MS } from '../../../src/lifecycle/leases.ts';
import { lockLifecycle } from '../../../src/storage/changes/profiles.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import {
  claimLifecycle,
  extendLifecycleLease,
  releaseLifecycle,
} from '../../../src/storage/statements/profiles/lifecycles.ts';
import { createWorld } from '../../support/delivery/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A workspace, and the process's monotonic clock, which leases follow on SQLite. */
async function startWorkspace() {
  const { storage, workspaceId } = await createWorld(await openSqlite(':memory:'));
  await storage.write((queries) => lockLifecycle(queries, workspaceId));
  const leases = createLeases(storage, () => new AbortController().signal);
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  return {
    workspaceId,
    storage,
    holding: (work: (held: HeldLease) => Promise<void>) => leases.untilDone(workspaceId, storage, work, () => {}),
    claim: () => storage.write((queries) => claimLifecycle(queries, workspaceId, LEASE_MS)),
    setTime: (ms: number) => monotonic.mockReturnValue(ms),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}

describe('The lease on a workspace', () => {
  it('lasts 30 s, and a server may claim the workspace a millisecond later, under another token', async () => {
    await using workspace = await startWorkspace();
    const first = await workspace.claim();
    workspace.setTime(31_000);
    expect(await workspace.claim()).toBeUndefined();
    workspace.setTime(31_001);
    const second = await workspace.claim();
    expect(second?.workspaceId).toBe(workspace.workspaceId);
    expect(second?.token).not.toBe(first?.token);
  });

  it('is extended every 8 s while the work continues', async () => {
    await using workspace = await startWorkspace();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await workspace.holding(async () => {
      workspace.setTime(8_999);
      vi.advanceTimersByTime(7_999);
      workspace.setTime(31_001);
      vi.advanceTimersByTime(1);
      // The lease was free for this one moment, but the extension was requested first.
      expect(await workspace.claim()).toBeUndefined();
    });
    // The lease is given back when the work is done.
    expect(await workspace.claim()).toBeDefined();
  });

  it('is not extended before 8 s have passed, so another server can claim the workspace if the lease ends first', async () => {
    await using workspace = await startWorkspace();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await workspace.holding(async ({ signal }) => {
      vi.advanceTimersByTime(7_999);
      workspace.setTime(31_001);
      expect(await workspace.claim()).toBeDefined();
      expect(signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      await vi.waitFor(() => expect(signal.aborted).toBe(true));
    });
  });

  it('is not extended after it was released', async () => {
    await using workspace = await startWorkspace();
    const lease = await workspace.claim();
    if (!lease) throw new Error('The workspace is not free.');
    await workspace.storage.write((queries) => releaseLifecycle(queries, lease));
    expect(await workspace.storage.write((queries) => extendLifecycleLease(queries, lease, LEASE_MS))).toBe(false);
    expect(await workspace.claim()).toBeDefined();
  });
});
