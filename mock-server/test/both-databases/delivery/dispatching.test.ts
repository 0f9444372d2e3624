import { patience } from '@svc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_OBSERVER } from '../../../src/delivery/observer.ts';
import { REAL_TIME } from '../../../src/domain/clock-state.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  MINUTE,
  START,
  startEngine,
  startWorld,
} from '../../support/delivery/world.ts';

afterEach(() => vi.restoreAllMocks());

describe('Dispatching', () => {
  it('delivers everything once, even with more lanes and deliveries than it takes at a time', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using _storage = world.storage;
    for (let count = 0; count < 99; count++) await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world, { paused: false, concurrency: 32, endpointConcurrency: 4 });
    const ids = await emit(world, 20);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids].sort());
    expect(await engine.status()).toEqual({
      due: 0,
      pending: 0,
      inFlight: 0,
      nextDueAt: undefined,
      oldestDueAt: undefined,
    });
  });

  it('does not count attempts that this machine cannot make against receivers', async () => {
    let lacking = 2;
    const logger = createLogger('silent');
    const warn = vi.spyOn(logger, 'warn');
    const send = async () => {
      if (lacking-- <= 0) return new Response();
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'EMFILE' }) });
    };
    await using world = await startWorld(undefined, { send, logger });
    const ids = await emit(world, 5);
    expect(await world.engine.runDue()).toBe(5);
    for (const id of ids) {
      expect(await deliveryOf(world.storage, id)).toMatchObject({ status: 'success', attempt: 1, error: null });
      expect(await attemptsOf(world.storage, id)).toHaveLength(1);
    }
    expect(warn.mock.calls).toEqual([
      [{ code: 'EMFILE', retryInMs: 1_000 }, 'cannot make attempts: this machine has run out of a resource'],
    ]);
  });

  it.each([
    [65_536, {}],
    [50_000, { 'x-large': 'h'.repeat(16_000) }],
  ])('writes large responses back in batches of about 1 MiB: %i bytes', async (bytes, headers) => {
    const sizes: number[] = [];
    const observer = { ...NO_OBSERVER, roundEnded: ({ attempts }: { attempts: number }) => void sizes.push(attempts) };
    const released = Promise.withResolvers<void>();
    let inFlight = 0;
    const send = async () => {
      if (++inFlight === 40) released.resolve();
      await released.promise;
      return new Response('a'.repeat(bytes), { headers });
    };
    const world = await createWorld();
    await using _storage = world.storage;
    for (let count = 0; count < 40; count++) await addEndpoint(world, `http://localhost:1/${count}`);
    await using engine = await startEngine(world, { send, observer });
    await emit(world);
    expect(await engine.runDue()).toBe(40);
    // 15 responses have 960 KiB. One more has at most 80 KiB.
    expect(Math.max(...sizes)).toBe(15);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(40);
  });

  it('keeps requests in flight within the caps per endpoint and per node', async () => {
    const inFlight = new Map<string, number>();
    let highest = { endpoint: 0, node: 0 };
    await using receiver = await startReceiver((request, response) => {
      const key = request.path;
      inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
      const sum = [...inFlight.values()].reduce((a, b) => a + b);
      highest = { endpoint: Math.max(highest.endpoint, inFlight.get(key) ?? 0), node: Math.max(highest.node, sum) };
      setImmediate(() => {
        inFlight.set(key, (inFlight.get(key) ?? 0) - 1);
        response.end();
      });
    });
    const world = await createWorld();
    await using _storage = world.storage;
    for (let count = 0; count < 8; count++) await addEndpoint(world, `${receiver.url}&endpoint=${count}`);
    await using engine = await startEngine(world, { concurrency: 10, endpointConcurrency: 3 });
    await emit(world, 30);
    expect(await engine.runDue()).toBe(240);
    expect(highest.endpoint).toBeLessThanOrEqual(3);
    expect(highest.node).toBeLessThanOrEqual(10);
    expect(highest.node).toBeGreaterThan(3);
  });

  it('first attempts go before a backlog of old retries', async () => {
    await using world = await startWorld(status(500), { endpointConcurrency: 4, concurrency: 4 });
    const { receiver, engine } = world;
    const old = new Set(await emit(world, 100));
    await engine.runDue();
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    receiver.requests.length = 0;
    const fresh = new Set(await emit(world, 60));
    await engine.runDue();
    const order = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '');
    const lastFresh = order.findLastIndex((id) => fresh.has(id));
    expect(order.filter((id) => old.has(id))).toHaveLength(100);
    // Even so, a quarter of the deliveries that are taken are retries.
    const before = order.slice(0, lastFresh).filter((id) => old.has(id)).length;
    expect(before).toBeLessThan(60);
    // Enough first attempts to take longer than reading the first retries, even from a slow database.
    expect(before).toBeGreaterThan(0);
  });

  it('a first attempt does not wait for a later retry in the same lane', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, engine } = world;
    await emit(world);
    await engine.runDue();
    receiver.answer = status(200);
    const [fresh] = await emit(world);
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, fresh)).toMatchObject({ status: 'success', attempt: 1 });
    expect(await engine.nextDueAt()).toBe(START + 5 * MINUTE);
  });

  it('the status has the exact time of the next attempt, also of a first attempt after the clock was set back', async () => {
    await using world = await startWorld();
    await emit(world);
    world.clock.restore({ frozenAt: START - 10 * MINUTE });
    expect(await world.engine.nextDueAt()).toBe(START);
    expect(await world.engine.runDue()).toBe(0);
    expect(await world.engine.nextDueAt()).toBe(START);
  });

  it('a paused engine makes no attempt until it is resumed', async () => {
    await using world = await startWorld();
    const { receiver, storage, engine } = world;
    const [id] = await emit(world);
    engine.wake();
    expect(await engine.whenIdle(AbortSignal.timeout(50))).toBe(false);
    expect(receiver.requests).toHaveLength(0);
    expect(await engine.status()).toEqual({ due: 1, pending: 1, inFlight: 0, nextDueAt: START, oldestDueAt: START });
    engine.resume();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success' });
  });

  it('a running engine makes a retry when it is due, without a hint', async () => {
    await using receiver = await startReceiver(status(500));
    const world = await createWorld();
    await using storage = world.storage;
    world.clock.restore(REAL_TIME);
    await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world, { paused: false, retryDelaysMs: [30, 30] });
    const [id] = await emit(world);
    engine.wake();
    await vi.waitFor(async () => expect(await deliveryOf(storage, id)).toMatchObject({ status: 'failed', attempt: 3 }));
    expect(engine.isHealthy()).toBe(true);
  });

  it('a delivery can go to a function instead of the network', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'https://receiver.example/hook');
    const seen: string[] = [];
    await using engine = await startEngine(world, {
      send: async (request) => {
        seen.push(`${request.method} ${request.url} ${request.headers.get('webhook-id')} ${await request.text()}`);
        return new Response('ok', { status: 202, headers: { 'x-by': 'function' } });
      },
    });
    const [id] = await emit(world);
    await engine.runDue();
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', response_status: 202 });
    expect(seen).toEqual([expect.stringMatching(`^POST https://receiver.example/hook ${id} {"id":"evt_`)]);
  });
});
