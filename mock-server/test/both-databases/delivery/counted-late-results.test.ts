import { describe, expect, test, vi } from 'vitest';
import { NO_OBSERVER } from '../../../src/delivery/observer.ts';
import { type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { takeAllLanes } from '../../support/delivery/sessions.ts';
import { startWatched } from '../../support/delivery/watched.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../../support/delivery/world.ts';

/** Whether a write of results moved no delivery. It returns what it moved, alone or with other things. */
const movesNothing = (written: unknown) => (Array.isArray(written) ? written : Object(written).moved)?.length === 0;

describe('In the metrics, results that arrive after the session of their node has ended', () => {
  test('are counted as late, and the lane is counted as lost once, even if the results arrive one by one', async () => {
    await using world = await startWatched();
    const { storage, open, outcomes, lanesLost } = world;
    const ids = await world.inFlight(2);
    await world.loseLanes();
    for (const [index, response] of open.entries()) {
      response.writeHead(200).end();
      await vi.waitFor(() => expect(outcomes).toHaveLength(index + 1));
    }
    expect(outcomes).toEqual(['late', 'late']);
    expect(lanesLost).toEqual([1]);
    for (const id of ids) expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0 });
  });

  test('count as one lost lane if two arrive at once', async () => {
    await using world = await startWatched();
    await world.inFlight(2);
    await world.loseLanes();
    for (const response of world.open) response.writeHead(200).end();
    await vi.waitFor(() => expect(world.outcomes).toEqual(['late', 'late']));
    expect(world.lanesLost).toEqual([1]);
  });

  test.each([
    { hasEnded: 'before', unanswered: 'the look that it has ended', outcome: 'late' },
    { hasEnded: 'before', unanswered: 'the write of the log', outcome: 'late' },
    { hasEnded: 'after', unanswered: 'the write of the result', outcome: 'success' },
  ])('count as $outcome if it ends $hasEnded $unanswered, which gets no reply', async (given) => {
    const { hasEnded, unanswered, outcome } = given;
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'https://receiver.test/hook');
    const outcomes: string[] = [];
    let sent = false;
    let failures = 0;
    /** Loses the reply to one write after the attempt. */
    async function answering<Result>(write: () => Promise<Result>): Promise<Result> {
      if (!sent || failures > 0) return write();
      if (hasEnded === 'before') await takeAllLanes(storage);
      const result = await write();
      // This write found the result late. The next one logs it.
      if (unanswered === 'the write of the log' && movesNothing(result)) return result;
      failures++;
      if (hasEnded === 'after') await takeAllLanes(storage);
      throw new StorageUnavailableError('The connection was lost.');
    }
    const failing: Storage = {
      read: (work) => storage.read(work),
      write: (work) => answering(() => storage.write(work)),
      writeAtOnce: (work) => answering(() => storage.writeAtOnce(work)),
      async [Symbol.asyncDispose]() {},
    };
    await using engine = await startEngine(
      { ...world, storage: failing },
      {
        paused: false,
        observer: { ...NO_OBSERVER, attemptStored: (attempt) => void outcomes.push(attempt.outcome) },
        async send() {
          sent = true;
          return new Response();
        },
      },
    );
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(outcomes).toHaveLength(1));
    expect(outcomes).toEqual([outcome]);
    expect(failures).toBe(1);
  });

  test('are not late while the session exists: each counts as the outcome of its delivery', async () => {
    await using world = await startWatched();
    await world.inFlight(2);
    for (const [index, response] of world.open.entries()) response.writeHead(index ? 500 : 200).end();
    await vi.waitFor(() => expect([...world.outcomes].sort()).toEqual(['retry', 'success']));
    expect(world.lanesLost).toEqual([]);
  });
});
