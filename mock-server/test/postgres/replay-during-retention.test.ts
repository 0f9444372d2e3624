import { describe, expect, test } from 'vitest';
import { beginPass, type RetentionPass, stepOf } from '../../src/delivery/retention.ts';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { holdOpen, untilBlocked } from './support/held-open.ts';

const as = { credential: demo.production.key };

/** Starts a server with a delivery that has ended, and opens another connection to its database. */
async function startWithDelivery() {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startReceiver());
  const { url } = cleanup.use(await createTestDatabase());
  const api = cleanup.use(await startApi({ databaseUrl: url, masterKey: TEST_MASTER_KEY }));
  const storage = cleanup.use(connectPostgres(url, 'engine'));
  const subscribed = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
  await api.call('POST', '/v1/webhooks/endpoints', { ...as, body: subscribed });
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const { body } = await api.call('POST', '/_control/events', { body: event });
  const { id } = body.deliveries[0];
  await api.call('POST', '/_control/settle', { body: {} });
  await api.call('POST', '/_control/clock', { body: { advance: '1d' } });
  const now = Date.parse((await api.call('GET', '/_control/clock')).body.now);
  const owned = cleanup.move();
  return {
    api,
    receiver,
    storage,
    replay: () => api.call('POST', `/v1/webhooks/deliveries/${id}/replay`, as),
    /** Runs a whole pass of retention in one transaction. */
    async removeOld(queries: Queries) {
      let pass: RetentionPass | undefined = beginPass(now);
      while (pass) pass = await stepOf(queries, pass);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const countOf = (storage: Storage, table: 'events' | 'deliveries') =>
  storage.read(async (queries) => (await queries.selectFrom(table).select('id').execute()).length);

describe('A replay of a delivery that retention is deleting', () => {
  test('keeps the event if the replay comes first: the old delivery is deleted, and the replay is delivered', async () => {
    await using world = await startWithDelivery();
    const { api, storage, receiver } = world;
    // The replay stops halfway, because it must update its lane, which is locked here.
    await using lane = await holdOpen(storage, (queries) =>
      queries.selectFrom('delivery_lanes').selectAll().forUpdate().execute(),
    );
    const replayed = world.replay();
    await untilBlocked(storage);
    await storage.write(world.removeOld);
    expect(await countOf(storage, 'deliveries')).toBe(0);
    await lane.commit();

    expect((await replayed).status).toBe(202);
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
    await storage.write(world.removeOld);
    expect(await countOf(storage, 'events')).toBe(1);
  });

  test('waits if retention comes first, and then finds nothing to replay', async () => {
    await using world = await startWithDelivery();
    const { storage } = world;
    await using retention = await holdOpen(storage, world.removeOld);
    const replayed = world.replay();
    await untilBlocked(storage);
    await retention.commit();
    expect(await replayed).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect([await countOf(storage, 'deliveries'), await countOf(storage, 'events')]).toEqual([0, 0]);
  });

  test('succeeds if retention rolls back', async () => {
    await using world = await startWithDelivery();
    const { api, storage, receiver } = world;
    await using retention = await holdOpen(storage, world.removeOld);
    const replayed = world.replay();
    await untilBlocked(storage);
    await retention.rollBack();
    expect((await replayed).status).toBe(202);
    await api.call('POST', '/_control/settle', { body: {} });
    expect(receiver.requests).toHaveLength(2);
  });
});
