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

/** What a node sees at an instant, in milliseconds: these nodes are connected. */
type Look = [at: number, ...connected: string[]];

/**
 * A node that looks beside another one that holds a lane.
 *
 * @returns when it takes the lane, or undefined if it does not.
 */
async function whenTaken(
  holder: string | null,
  looks: Look[],
  as: { ownName: string | undefined } = { ownName: 'survivor' },
) {
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const claim = (by: string | null) =>
    storage.write((queries) =>
      claimLanes(queries, { now: world.clock.now(), leaseMs: LEASE_MS, limit: 1, except: [], holder: by }),
    );
  expect(await claim(holder)).toHaveLength(1);
  let connected: string[] = [];
  const onSwept = vi.fn();
  const sweep = createSweep({
    storage,
    clock: world.clock,
    logger: createLogger('silent'),
    seenNodes: { ...as, findConnected: async () => new Set(connected) },
    onSwept,
  });
  for ([now, ...connected] of looks) {
    await sweep();
    const taken = await claim('survivor');
    expect(onSwept).toHaveBeenCalledTimes(taken.length);
    if (taken.length > 0) return now;
  }
  return undefined;
}

describe('The lane of a node that holds it', () => {
  it('is free once the node has had no connection for 12 s', async () => {
    expect(await whenTaken('dead', [[1_000, 'survivor'], [13_000]])).toBe(13_000);
  });

  it('is not free a millisecond before that', async () => {
    expect(await whenTaken('dead', [[1_000, 'survivor'], [12_999]])).toBeUndefined();
  });

  it('counts the 12 s again from the start when the node was connected in between', async () => {
    const shaky: Look[] = [[1_000], [2_000, 'shaky'], [3_000]];
    expect(await whenTaken('shaky', [...shaky, [14_999]])).toBeUndefined();
    expect(await whenTaken('shaky', [...shaky, [15_000]])).toBe(15_000);
  });

  it.each<[string, string | null, Look[], string | undefined]>([
    ['the node is connected', 'busy', [1_000, 13_000, 25_000].map((at) => [at, 'busy']), 'survivor'],
    ['the node has no name, as behind a pooler', null, [[1_000], [13_000], [25_000]], 'survivor'],
    ['the one that looks cannot see the others', 'busy', [[1_000], [13_000], [25_000]], undefined],
    ['the one that looks holds it itself', 'survivor', [[1_000], [13_000], [25_000]], 'survivor'],
  ])('is not free while %s', async (_name, holder, looks, ownName) => {
    expect(await whenTaken(holder, looks, { ownName })).toBeUndefined();
  });
});
