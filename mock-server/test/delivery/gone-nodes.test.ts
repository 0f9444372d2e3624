import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../src/delivery/limits.ts';
import { createSweep } from '../../src/delivery/sweep.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { claimLanes } from '../../src/storage/statements/claim-lanes.ts';
import { addEndpoint, createWorld, emit } from './support/world.ts';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** One node holds a lane, and another sweeps while these nodes are gone. @returns whether the lane is then free. */
async function sweepBeside(holder: string | null, gone: string[]) {
  const world = await createWorld();
  const { clock } = world;
  await using storage = world.storage;
  await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const claim = (by: string | null) =>
    storage.write((queries) =>
      claimLanes(queries, { now: clock.now(), leaseMs: LEASE_MS, limit: 1, except: [], holder: by }),
    );
  const [held] = await claim(holder);
  const onSwept = vi.fn();
  const isGone = (node: string) => gone.includes(node);
  const sweep = createSweep({ storage, clock, logger: createLogger('silent'), isGone, onSwept });
  now += 1_000;
  await sweep();
  const [taken] = await claim('survivor');
  expect(onSwept).toHaveBeenCalledTimes(taken ? 1 : 0);
  if (taken) expect(taken.leaseToken).toBe((held?.leaseToken ?? 0) + 1);
  return taken !== undefined;
}

describe('The lane of a node', () => {
  it('is free, under the next token, when the node is gone', async () => {
    expect(await sweepBeside('dead', ['dead'])).toBe(true);
  });

  it('is not free while the node is not gone', async () => {
    expect(await sweepBeside('busy', ['dead'])).toBe(false);
  });

  it('is not free if the node has no name, for example behind a pooler', async () => {
    expect(await sweepBeside(null, ['dead'])).toBe(false);
  });
});
