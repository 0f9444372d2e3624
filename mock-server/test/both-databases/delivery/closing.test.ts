import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/runtime/logger.ts';
import { startInFlight } from '../../support/delivery/in-flight.ts';
import { sessionsIn } from '../../support/delivery/sessions.ts';
import { deliveryOf, emit, MINUTE, startWorld } from '../../support/delivery/world.ts';

afterEach(() => vi.restoreAllMocks());

describe('Closing the engine', () => {
  it('finishes what is in flight, starts nothing more, gives the lanes back and ends the session', async () => {
    const open: ServerResponse[] = [];
    await using world = await startWorld((_request, response) => open.push(response), {
      paused: false,
      endpointConcurrency: 2,
    });
    const { receiver, storage, engine } = world;
    const ids = await emit(world, 5);
    engine.wake();
    await vi.waitFor(() => expect(open).toHaveLength(2));
    const closed = engine.close();
    for (const response of open) response.writeHead(200).end();
    await closed;

    const statuses = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(statuses).toEqual(['success', 'success', 'pending', 'pending', 'pending']);
    expect(receiver.requests).toHaveLength(2);
    const lanes = await storage.read((queries) => queries.selectFrom('delivery_lanes').selectAll().execute());
    expect(lanes).toMatchObject([{ node: null, turn_at: world.clock.now() - MINUTE }]);
    expect(await sessionsIn(storage)).toEqual([]);
  });

  it('waits for attempts in flight for as long as an attempt may take, plus 2 s to store its result, and no longer', async () => {
    const logger = createLogger('silent');
    const told = vi.spyOn(logger, 'error');
    const cutDatabase = vi.fn();
    await using world = await startInFlight({ logger, cutDatabase });
    const { storage, engine, id } = world;
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    let isClosed = false;
    const closed = engine.close().then(() => {
      isClosed = true;
    });
    await vi.waitFor(() => expect(timeout).toHaveBeenCalled());
    expect(timeout.mock.calls).toEqual([[12_000]]);
    await deliveryOf(storage, id);
    expect(isClosed).toBe(false);
    expect(cutDatabase).not.toHaveBeenCalled();
    deadline.abort();
    await closed;
    expect(cutDatabase).toHaveBeenCalledOnce();
    expect(told).toHaveBeenCalledExactlyOnceWith(
      { lanes: 1, deliveries: 1 },
      expect.stringContaining('the lanes become free when the session of this server ends'),
    );
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0 });
  });
});
