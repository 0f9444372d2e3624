import { describe, expect, test, vi } from 'vitest';
import { startWatched } from '../../support/delivery/watched.ts';
import { attemptsOf } from '../../support/delivery/world.ts';

describe('The log of attempts', () => {
  test.each([
    { answer: 200, isLost: false, outcome: 'success' },
    { answer: 503, isLost: false, outcome: 'retry', error: 'HTTP 503' },
    { answer: 503, isLost: false, retryDelaysMs: [], outcome: 'failed', error: 'HTTP 503' },
    { answer: 200, isLost: true, outcome: 'late' },
  ])('has one line per attempt: $outcome', async ({ answer, isLost, retryDelaysMs, ...told }) => {
    await using world = await startWatched(retryDelaysMs ? { retryDelaysMs } : {});
    const [id] = await world.inFlight(1);
    if (isLost) await world.loseLanes();
    // Nothing is logged before it is stored, because the outcome may still change.
    expect(world.attemptLines()).toEqual([]);
    world.open[0]?.writeHead(answer).end();
    await vi.waitFor(() => expect(world.attemptLines()).not.toEqual([]));
    expect(world.attemptLines()).toMatchObject([
      { level: 30, deliveryId: id, endpointId: world.endpoint.id, attempt: 1, ...told },
    ]);
    expect(await attemptsOf(world.storage, id)).toHaveLength(1);
  });
});
