import { describe, expect, it } from 'vitest';
import { updateEndpoint } from '../../../src/storage/statements/endpoints.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  addMember,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  MINUTE,
  START,
  startEngine,
  startWorld,
  type World,
} from '../../support/delivery/world.ts';

const setActive = ({ storage }: World, id: string, active: 0 | 1) =>
  storage.write((queries) =>
    queries
      .updateTable('webhook_endpoints')
      .set({ active, ...(active === 1 && { consecutive_failures: 0 }) })
      .where('id', '=', id)
      .execute(),
  );

describe('States and transitions: webhook delivery status', () => {
  it('an event that matches an inactive endpoint creates a disabled delivery and sends no request', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url, { active: false });
    await using engine = await startEngine(world);
    const [id] = await emit(world);
    expect(await engine.runDue()).toBe(0);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'disabled', attempt: 0, next_attempt_at: null });
    expect(receiver.requests).toHaveLength(0);
  });

  it('a delivery becomes disabled if its endpoint is inactive when a retry is due, and stays disabled', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await setActive(world, endpoint.id, 0);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending' });

    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    expect(await engine.runDue()).toBe(0);
    expect(await deliveryOf(storage, id)).toMatchObject({
      status: 'disabled',
      attempt: 1,
      error: 'HTTP 500',
      next_attempt_at: null,
    });
    await setActive(world, endpoint.id, 1);
    expect(await engine.nextDueAt()).toBeUndefined();
    expect(receiver.requests).toHaveLength(1);
  });

  it('a delivery continues if its endpoint is re-activated before the retry is due', async () => {
    await using world = await startWorld(status(500));
    const { storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await setActive(world, endpoint.id, 0);
    await setActive(world, endpoint.id, 1);
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 2 });
  });

  it('all deliveries of a deleted endpoint become disabled, even more than a thousand', async () => {
    await using world = await startWorld();
    const { storage, endpoint, engine } = world;
    const ids = await emit(world, 1_200);
    await storage.write((queries) => queries.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id).execute());
    expect(await engine.runDue()).toBe(0);
    const statuses = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(new Set(statuses)).toEqual(new Set(['disabled']));
    expect(await engine.status()).toEqual({
      due: 0,
      pending: 0,
      inFlight: 0,
      nextDueAt: undefined,
      oldestDueAt: undefined,
    });
  });

  it('each attempt goes to the current URL of the endpoint, and the log shows it', async () => {
    await using second = await startReceiver();
    await using world = await startWorld(status(500));
    const { receiver: first, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await storage.write((queries) =>
      queries.updateTable('webhook_endpoints').set({ url: second.url }).where('id', '=', endpoint.id).execute(),
    );
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    await engine.runDue();
    expect((await attemptsOf(storage, id)).map(({ url }) => url)).toEqual([first.url, second.url]);
  });
});

describe('States and transitions: webhook endpoint activity', () => {
  it('the fifth failed delivery in a row disables the endpoint: one event, and one notification per user with read access', async () => {
    await using other = await startReceiver();
    await using world = await startWorld(status(500), { retryDelaysMs: [] });
    const { storage, endpoint, engine } = world;
    const listener = await addEndpoint(world, other.url, { subscribedEvents: ['webhook.*'] });
    const owner = await addMember(world, 'Owner');
    const viewer = await addMember(world, 'Viewer');
    await addMember(world, 'Admin', 'None');
    const raised = await addMember(world, 'Viewer', 'Admin');

    await emit(world, 4);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: 4 });
    const more = await emit(world, 3);
    await engine.runDue();

    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 });
    const told = await storage.read((queries) => queries.selectFrom('notifications').selectAll().execute());
    expect(told.map(({ user_id }) => user_id).sort()).toEqual([owner, viewer, raised].sort());
    expect(told[0]).toMatchObject({
      workspace_id: world.workspaceId,
      endpoint_id: endpoint.id,
      type: 'webhook.endpoint.auto_disabled',
      created_at: START,
    });
    const [event, ...rest] = other.requests.map(({ body }) => JSON.parse(body));
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      type: 'webhook.endpoint.auto_disabled',
      subject: { id: endpoint.id, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${endpoint.id}` },
    });
    expect(await endpointOf(storage, listener.id)).toMatchObject({ active: 1, consecutive_failures: 0 });
    expect((await deliveryOf(storage, more.at(-1))).status).toMatch(/failed|disabled/);
  });

  it('four failed deliveries and then a success do not disable the endpoint: the count starts again', async () => {
    await using world = await startWorld(status(500), { retryDelaysMs: [] });
    const { receiver, storage, endpoint, engine } = world;
    for (const [failures, expected] of [
      [4, 4],
      [4, 4],
    ] as const) {
      receiver.answer = status(500);
      await emit(world, failures);
      await engine.runDue();
      expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: expected });
      receiver.answer = status(200);
      await emit(world);
      await engine.runDue();
      expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: 0 });
    }
  });

  it('five more failed deliveries disable a re-activated endpoint again, and four do not', async () => {
    await using world = await startWorld(status(500), { retryDelaysMs: [] });
    const { storage, endpoint, engine } = world;
    await emit(world, 5);
    await engine.runDue();
    await setActive(world, endpoint.id, 1);
    await emit(world, 4);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: 4 });
    await emit(world, 1);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 });
  });

  it('setting active: true on an active endpoint leaves its failure count unchanged', async () => {
    await using world = await startWorld(status(500), { retryDelaysMs: [] });
    const { storage, endpoint, engine } = world;
    const activate = () =>
      storage.write((queries) =>
        updateEndpoint(queries, world.workspaceId, endpoint.id, { active: true }, world.clock.now()),
      );
    await emit(world, 4);
    await engine.runDue();
    expect(await activate()).toMatchObject({ active: 1, consecutive_failures: 4 });
    await emit(world, 1);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 });
    expect(await activate()).toMatchObject({ active: 1, consecutive_failures: 0 });
  });

  it('only deliveries that have ended count, not those that will be retried', async () => {
    await using world = await startWorld(status(500));
    const { storage, endpoint, engine } = world;
    await emit(world, 20);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: 0 });
  });
});
