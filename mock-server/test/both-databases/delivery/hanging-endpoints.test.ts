import type { ServerResponse } from 'node:http';
import { PATIENCE_MS, patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import { createFakeTimers } from '../../support/delivery/fake-timers.ts';
import { startNode } from '../../support/delivery/node.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  createWorld,
  deliveryOf,
  emit,
  MINUTE,
  START,
  startEngine,
} from '../../support/delivery/world.ts';

/** The deadline of attempts to receivers that hang: longer than a test waits for any other attempt. */
const HANGS_MS = 2 * PATIENCE_MS;

describe('Endpoints that hang', () => {
  it('one does not delay the first attempt to another', async () => {
    const open: ServerResponse[] = [];
    await using hanging = await startReceiver((_request, response) => open.push(response));
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, hanging.url);
    await using engine = await startEngine(world, { paused: false, timeoutMs: HANGS_MS });
    await emit(world, 500);
    engine.wake();
    await vi.waitFor(() => expect(open.length).toBeGreaterThan(0));
    await addEndpoint(world, receiver.url);
    const ids = await emit(world);
    engine.wake();
    await vi.waitFor(async () => expect(await deliveryOf(storage, ids[1])).toMatchObject({ status: 'success' }));
    hanging.answer = status(200);
    for (const response of open) response.end();
  });

  it('one attempt does not delay a retry to the same endpoint while other lanes keep the node busy', async () => {
    const world = await createWorld();
    await using _storage = world.storage;
    await addEndpoint(world, 'https://receiver.test/hook');
    const ids = await emit(world, 2);
    const timers = createFakeTimers();
    await using node = startNode(world, { timers });
    await vi.waitFor(() => expect(node.requests).toHaveLength(2));
    node.requests[0]?.answer(500);
    await vi.waitFor(async () => {
      await timers.pass(5);
      expect(node.outcomes).toEqual(['retry']);
    });
    world.clock.restore({ frozenAt: START + 5 * MINUTE });

    // Each take requests the next one, so the timer of the next look never runs.
    timers.freeze(1_000);
    node.dispatcher.endpointChanged('whe_another');
    await vi.waitFor(() => expect(node.requests).toHaveLength(3));
    expect(ids).toContain(node.requests[2]?.deliveryId);
    expect(node.outcomes).toEqual(['retry']);
    for (const request of node.requests) request.answer(200);
  });

  it('a hundred do not delay the first attempt to another', async () => {
    const open: ServerResponse[] = [];
    await using hanging = await startReceiver((_request, response) => open.push(response));
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    for (let count = 0; count < 100; count++) await addEndpoint(world, hanging.url);
    await using engine = await startEngine(world, { paused: false, timeoutMs: HANGS_MS });
    await emit(world, 10);
    engine.wake();
    await vi.waitFor(() => expect(open.length).toBeGreaterThanOrEqual(100));
    const endpoint = await addEndpoint(world, receiver.url);
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));
    await storage.write((queries) => queries.deleteFrom('webhook_endpoints').where('id', '<>', endpoint.id).execute());
    hanging.answer = status(200);
    for (const response of open) response.end();
  });

  it('do not delay another workspace, even if they answered before', async () => {
    const open: ServerResponse[] = [];
    await using hanging = await startReceiver();
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    for (let count = 0; count < 10; count++) await addEndpoint(world, hanging.url);
    const other = await createWorld(storage, world.masterKey);
    await addEndpoint(other, receiver.url);
    await using engine = await startEngine(world, { paused: false, concurrency: 60, timeoutMs: HANGS_MS });
    await emit(world, 20);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    hanging.answer = (_request, response) => open.push(response);
    await emit(world, 40);
    engine.wake();
    await vi.waitFor(() => expect(open.length).toBeGreaterThanOrEqual(40));
    await emit(other);
    engine.wake();
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));
    expect(open).toHaveLength(40);
    hanging.answer = status(200);
    for (const response of open) response.end();
  });
});
