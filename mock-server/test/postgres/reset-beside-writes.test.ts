import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { BATCH_RECORDS } from '../../src/lifecycle/import-profiles.ts';
import { deleteSetting, saveSetting } from '../../src/storage/statements/settings.ts';
import { demo } from '../support/demo.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { type Fleet, startFleet } from './support/fleet.ts';
import { holdOpen } from './support/held-open.ts';
import { query } from './support/query.ts';

test('A reset waits for a transaction of another server before it deletes the first row', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  await using storage = await openPostgres(fleet.databaseUrl);
  // The lock that every write of deliveries takes.
  await using write = await holdOpen(storage, (queries) =>
    queries.selectFrom('webhook_endpoints').select('id').forKeyShare().execute(),
  );
  const reset = node.call('POST', '/_control/reset', { body: {} });
  await untilWaiting(fleet, 'ExclusiveLock');
  await write.commit();
  expect((await reset).status).toBe(200);
});

test('An event that waits for a reset creates no deliveries to the endpoints that the reset deletes', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  const key = { credential: demo.production.key };
  const endpoint = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
  await node.call('POST', '/v1/webhooks/endpoints', { ...key, body: endpoint });
  await using storage = await openPostgres(fleet.databaseUrl);
  await using wipe = await holdOpen(storage, async (queries) => {
    await sql`lock table events in exclusive mode`.execute(queries);
    await queries.deleteFrom('webhook_endpoints').execute();
  });
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const accepted = node.call('POST', '/_control/events', { body: event });
  await untilWaiting(fleet, 'RowExclusiveLock');
  await wipe.commit();
  expect(await accepted).toMatchObject({ status: 201, body: { deliveries: [] } });
});

test('An event and a ping that wait for a reset are due on the clock after the reset', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  const key = { credential: demo.production.key };
  const { body } = await node.call('POST', '/v1/webhooks/endpoints', {
    ...key,
    body: { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] },
  });
  await node.call('POST', '/_control/clock', { body: { advance: 'P3D' } });
  await using storage = await openPostgres(fleet.databaseUrl);
  await using wipe = await holdOpen(storage, async (queries) => {
    await sql`lock table delivery_nodes, events in exclusive mode`.execute(queries);
    await deleteSetting(queries, 'clock');
    await saveSetting(queries, 'reset', 'by another node');
  });
  const event = node.call('POST', '/_control/events', {
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  const ping = node.call('POST', `/v1/webhooks/endpoints/${body.endpoint.id}/send-test-event`, { ...key, body: {} });
  await vi.waitFor(async () => {
    const waiting = await query(fleet, "select 1 from pg_locks where mode = 'RowExclusiveLock' and not granted", []);
    expect(waiting.length).toBeGreaterThanOrEqual(2);
  });
  await wipe.commit();
  const ids = [(await event).body.deliveries[0].id, (await ping).body.ping.deliveryId];
  for (const id of ids) {
    const { delivery } = (await node.call('GET', `/v1/webhooks/deliveries/${id}`, key)).body;
    expect(Date.parse(delivery.createdAt)).toBeLessThan(Date.now() + 60_000);
  }
});

test('A write that waits for a reset is rejected if the new data does not have its credential', async () => {
  await using fleet = await startFleet({ rateLimit: false });
  const [node] = fleet.nodes;
  await using storage = await openPostgres(fleet.databaseUrl);
  await using wipe = await holdOpen(storage, async (queries) => {
    await sql`lock table delivery_nodes, webhook_endpoints in exclusive mode`.execute(queries);
    await queries.deleteFrom('credentials').where('workspace_id', '=', demo.production.id).execute();
    await saveSetting(queries, 'reset', 'by another node');
  });
  const created = node.call('POST', '/v1/webhooks/endpoints', {
    credential: demo.production.key,
    body: { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] },
  });
  await untilWaiting(fleet, 'RowExclusiveLock');
  await wipe.commit();
  expect((await created).status).toBe(401);
  expect(await query(fleet, 'select 1 from webhook_endpoints', [])).toEqual([]);
});

test('A sync on one server stores nothing after a reset by another server', async () => {
  const opened = Promise.withResolvers<ServerResponse>();
  let reads = 0;
  const source = createServer((_request, response) => {
    reads++;
    response.write(linesOf('early'));
    opened.resolve(response);
  });
  using _closed = { [Symbol.dispose]: () => void source.close().closeAllConnections() };
  await once(source.listen(0, '127.0.0.1'), 'listening');
  const location = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  await using fleet = await startFleet({ rateLimit: false });
  const [first, second] = fleet.nodes;
  const base = `/_control/workspaces/${demo.production.id}`;
  await first.call('PUT', `${base}/data-source`, { body: { kind: 'ndjson', location, schedule: null } });
  const synced = first.call('POST', `${base}/data-source/sync`, { body: {} });
  const response = await opened.promise;
  const imported = () => query(fleet, "select 1 from profiles where external_id like 'early%'", []);
  await vi.waitFor(async () => expect(await imported()).toHaveLength(BATCH_RECORDS));
  expect((await second.call('POST', '/_control/reset', { body: {} })).status).toBe(200);
  expect(await imported()).toEqual([]);
  response.end(linesOf('early later'));
  // In the new data, the workspace has no data source.
  expect((await synced).status).toBe(409);
  expect([await imported(), reads]).toEqual([[], 1]);
});

const linesOf = (name: string) =>
  Array.from({ length: BATCH_RECORDS }, (_, index) => `{"externalId":"${name} ${index}"}\n`).join('');

async function untilWaiting(fleet: Fleet, mode: string): Promise<void> {
  await vi.waitFor(async () => {
    const [waiting] = await query(fleet, 'select 1 from pg_locks where mode = $1 and not granted', [mode]);
    expect(waiting).toBeDefined();
  });
}
