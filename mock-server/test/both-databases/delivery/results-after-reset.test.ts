import type { ServerResponse } from 'node:http';
import { patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import { claimLanes } from '../../../src/storage/delivery/claim-lanes.ts';
import { wipe } from '../../../src/storage/wipe.ts';
import { startInFlight } from '../../support/delivery/in-flight.ts';
import { startReceiver } from '../../support/delivery/receiver.ts';
import { beginOther } from '../../support/delivery/sessions.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  startEngine,
} from '../../support/delivery/world.ts';

describe('A result that arrives after a reset', () => {
  it('leaves nothing', async () => {
    await using world = await startInFlight();
    const { storage, engine, open, id } = world;
    await storage.write(wipe);
    open[0]?.writeHead(200).end();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await attemptsOf(storage, id)).toEqual([]);
  });

  it('does not count for a seeded endpoint with the same id', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => open.push(response));
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, receiver.url);
    const row = await endpointOf(storage, endpoint.id);
    const workspace = await storage.read((queries) =>
      queries.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow(),
    );
    const organization = await storage.read((queries) =>
      queries.selectFrom('organizations').selectAll().executeTakeFirstOrThrow(),
    );
    await using engine = await startEngine(world, { paused: false, retryDelaysMs: [] });
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(open).toHaveLength(1));

    // Another node resets the data, accepts an event for the endpoint and claims its lane.
    await storage.write(async (queries) => {
      await wipe(queries);
      await queries.insertInto('organizations').values(organization).execute();
      await queries.insertInto('workspaces').values(workspace).execute();
      await queries.insertInto('webhook_endpoints').values(row).execute();
    });
    const [later] = await emit(world);
    await beginOther(storage);
    const order = { now: world.clock.now(), session: 'other', limit: 1 };
    expect(await storage.write((queries) => claimLanes(queries, order))).toEqual([endpoint.id]);
    open[0]?.writeHead(500).end();
    await vi.waitFor(async () => expect((await engine.status()).inFlight).toBe(0));
    expect(await endpointOf(storage, endpoint.id)).toEqual(row);
    expect(await deliveryOf(storage, later)).toMatchObject({ status: 'pending', attempt: 0 });
    const logged = await storage.read((queries) => queries.selectFrom('delivery_attempts').selectAll().execute());
    expect(logged).toEqual([]);
  });
});
