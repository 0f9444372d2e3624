import { afterEach, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../src/delivery/limits.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { claimLanes } from '../../src/storage/statements/claim-lanes.ts';
import { sweepLeases } from '../../src/storage/statements/sweep-leases.ts';
import { addEndpoint, createWorld, emit } from '../delivery/support/world.ts';

afterEach(() => vi.restoreAllMocks());

// On SQLite, leases follow the process's monotonic clock, which the test sets. PostgreSQL's clock cannot be set, but the
// tests with several servers run the same statements there.
describe('A lease', () => {
  it('lasts 32 s, and is free to claim a millisecond later, under the next token', async () => {
    const world = await createWorld(await openSqlite(':memory:'));
    await using storage = world.storage;
    await addEndpoint(world, 'http://127.0.0.1:9/hook');
    await emit(world);
    const monotonic = vi.spyOn(performance, 'now');
    const claim = () =>
      storage.write((queries) =>
        claimLanes(queries, { now: world.clock.now(), leaseMs: LEASE_MS, limit: 5, except: [] }),
      );
    const sweep = () => storage.write(sweepLeases);

    monotonic.mockReturnValue(1_000);
    const [first] = await claim();
    monotonic.mockReturnValue(33_000);
    expect([await sweep(), await claim()]).toEqual([0, []]);
    monotonic.mockReturnValue(33_001);
    expect(await sweep()).toBe(1);
    expect(await claim()).toEqual([{ endpointId: first?.endpointId, leaseToken: (first?.leaseToken ?? 0) + 1 }]);
  });
});
