import { patience } from '@svc/testing';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { updateEndpoint } from '../../../src/storage/changes/endpoints.ts';
import { afterTaking } from '../../support/delivery/after-taking.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  addMember,
  addMembers,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  START,
  setActive,
  startEngine,
  startWorld,
} from '../../support/delivery/world.ts';

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

  it('all 11,000 members of a large organization get a notification', async () => {
    await using world = await startWorld(status(500), { retryDelaysMs: [], sendsEmails: true });
    const { storage, endpoint, engine } = world;
    await addMembers(world, 11_000);
    await emit(world, 5);
    await engine.runDue();
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 });
    const count = sql<{ notices: number; emails: number }>`select (select count(*) from notifications) as notices,
      (select count(*) from notification_emails) as emails`;
    const { rows } = await storage.read((queries) => count.execute(queries));
    expect(rows.map(({ notices, emails }) => [Number(notices), Number(emails)])).toEqual([[11_000, 11_000]]);
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
        updateEndpoint(
          queries,
          { workspaceId: world.workspaceId, id: endpoint.id },
          { active: true },
          world.clock.now(),
        ),
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

describe('An endpoint that is disabled because its deliveries failed', () => {
  it('gets none of the deliveries that wait for a slot', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, 'https://receiver.test/hook');
    let requests = 0;
    await using engine = await startEngine(world, {
      concurrency: 1,
      retryDelaysMs: [],
      send: async () => new Response(null, { status: ++requests && 500 }),
    });
    const ids = await emit(world, 8);
    expect(await engine.runDue()).toBe(5);
    expect(requests).toBe(5);
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0, consecutive_failures: 5 });
    const ended = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(ended.toSorted()).toEqual([...Array(3).fill('disabled'), ...Array(5).fill('failed')]);
  });

  it('gets none of the deliveries that are being read at that moment', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, 'https://receiver.test/hook');
    const fails = () => new Response(null, { status: 500 });
    let requests = 0;
    const fifth = Promise.withResolvers<Response>();
    // The fifth delivery fails while the engine reads the sixth, which arrived in the meantime.
    let armed = false;
    const failing = afterTaking(world, async () => {
      fifth.resolve(fails());
      await vi.waitFor(async () => expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 }));
      await new Promise(setImmediate);
    });
    await using engine = await startEngine(
      { ...world, storage: { ...failing, read: (work) => (armed ? failing : storage).read(work) } },
      { paused: false, retryDelaysMs: [], send: async () => (++requests === 5 ? fifth.promise : fails()) },
    );
    await emit(world, 4);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(requests).toBe(5));
    armed = true;
    const [id] = await emit(world);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(requests).toBe(5);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'disabled', attempt: 0 });
  });
});

describe('Deliveries of one endpoint that end at the same time', () => {
  it('are counted in the order in which they ended: no five of them failed in a row', async () => {
    let requests = 0;
    await using world = await startWorld((_request, response) => response.writeHead(requests++ % 2 ? 200 : 500).end(), {
      retryDelaysMs: [],
    });
    for (let round = 0; round < 10; round++) {
      await emit(world, 12);
      await world.engine.runDue();
      expect(await endpointOf(world.storage, world.endpoint.id)).toMatchObject({ active: 1 });
    }
    expect(requests).toBe(120);
  });

  it('are counted in that order even while a failure is being written back', async () => {
    let answers = 0;
    await using world = await startWorld((_request, response) => response.writeHead(answers++ ? 200 : 500).end(), {
      retryDelaysMs: [],
      endpointConcurrency: 1,
    });
    for (let round = 0; round < 20; round++) {
      answers = 0;
      await emit(world, 2);
      await world.engine.runDue();
      expect(await endpointOf(world.storage, world.endpoint.id)).toMatchObject({ consecutive_failures: 0 });
    }
  });
});
