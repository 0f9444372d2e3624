import { describe, expect, it } from 'vitest';
import { addEndpoint, createWorld, emit, START, startEngine } from './support/world.ts';

/** Where a clock that is moved goes next from its beginning, when another server's clock is so far ahead and makes a delivery. */
async function nextStepWith(aheadMs: number) {
  const world = await createWorld();
  await using _storage = world.storage;
  await using engine = await startEngine(world);
  await addEndpoint(world, 'https://receiver.test/hook');
  world.clock.hold(START + aheadMs);
  await emit(world);
  world.clock.hold(START);
  return await engine.nextDueLater();
}

describe('While the clock is moved, the first attempt of what another server creates', () => {
  it('is no step of its own where its time is up to 5 s ahead: it may be created now', async () => {
    expect(await nextStepWith(5_000)).toBeUndefined();
  });

  it('is one a millisecond beyond: clocks are not so far apart', async () => {
    expect(await nextStepWith(5_001)).toBe(START + 5_001);
  });
});
