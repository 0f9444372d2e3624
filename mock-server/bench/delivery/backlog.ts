// What a claim costs, and how long a new endpoint's first delivery waits, while another endpoint has a backlog that is
// blocked, or all of another workspace's endpoints hang.

import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { claimLanes } from '../../src/storage/statements/claim-lanes.ts';
import { findDueDeliveries } from '../../src/storage/statements/find-due-deliveries.ts';
import { releaseLanes } from '../../src/storage/statements/release-lanes.ts';
import { createWorld } from './world.ts';

type World = Awaited<ReturnType<typeof createWorld>>;

const SIZES = (process.env['SIZES'] ?? '10000,100000,1000000').split(',').map(Number);
const CLAIMS = 400;

// A receiver that answers under /quick, under /warm until told otherwise, and hangs elsewhere.
const arrivals = new EventEmitter();
let warmHang = false;
const hanging = createServer((request, response) => {
  request.resume();
  if (request.url === '/quick') {
    response.end();
    arrivals.emit('first', performance.now());
  }
  if (request.url === '/warm' && !warmHang) response.end();
});
hanging.listen(0, '127.0.0.1');
await once(hanging, 'listening');
const base = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;

/** Fills a lane by copying one delivery, so that a million takes seconds. */
async function fillLane(world: World, endpointId: string, count: number) {
  await world.enqueue([endpointId], 1);
  await world.storage.write(async (queries) => {
    await sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into deliveries (id, workspace_id, endpoint_id, event_id, payload_event_id, event_type, status, attempt,
        created_at, delivered_at, next_attempt_at, error, response_status, response_time_ms)
      select d.id || printf('%08d', i), workspace_id, endpoint_id, event_id, payload_event_id, event_type, status, attempt,
        created_at, delivered_at, next_attempt_at, error, response_status, response_time_ms
      from deliveries as d, n where d.endpoint_id = ${endpointId}`.execute(queries);
    await sql`
      insert into delivery_statuses select workspace_id, endpoint_id, status, id from deliveries
      where endpoint_id = ${endpointId} and id not in (select delivery_id from delivery_statuses)`.execute(queries);
    await sql`
      insert or ignore into delivery_queue (delivery_id, endpoint_id, retry, due_at)
      select id, endpoint_id, 0, created_at from deliveries where endpoint_id = ${endpointId}`.execute(queries);
  });
}

/** Median time of one claim, take and release in another lane, in microseconds. */
async function claimCost(world: World, held: string, other: string): Promise<number> {
  const { storage, clock } = world;
  await world.enqueue([other], 16);
  await storage.write((queries) =>
    queries
      .updateTable('delivery_lanes')
      .set({ lease_until: 2 ** 50 })
      .where('endpoint_id', '=', held)
      .execute(),
  );
  const times: number[] = [];
  for (let count = 0; count < CLAIMS; count++) {
    await storage.write(async (queries) => {
      const now = clock.now();
      const started = performance.now();
      const claimed = await claimLanes(queries, { now, leaseMs: 32_000, limit: 64, except: [] });
      const due = await findDueDeliveries(
        queries,
        claimed.map(({ endpointId }) => ({ endpointId, limit: 16 })),
        now,
      );
      await releaseLanes(queries, claimed, now);
      times.push(performance.now() - started);
      if (claimed.length !== 1 || due.length !== 16) throw new Error('The claim did not find what it should.');
    });
  }
  await storage.write((queries) => queries.deleteFrom('delivery_queue').where('endpoint_id', '=', other).execute());
  await storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: null }).execute());
  return (times.sort((a, b) => a - b)[CLAIMS / 2] ?? 0) * 1000;
}

/** How long the first delivery of another endpoint waits, while all slots of the blocked one hang. */
async function firstAttemptWait(world: World, quickUrl: string): Promise<number> {
  const engine = await world.startEngine();
  await new Promise((done) => setTimeout(done, 500));
  return await waitOf(world, engine, quickUrl);
}

/** How long the first delivery of one more endpoint in this world waits. Ends the engine. */
async function waitOf(world: World, engine: Awaited<ReturnType<World['startEngine']>>, quickUrl: string) {
  const endpoint = await world.addEndpoint(quickUrl);
  const started = performance.now();
  await world.enqueue([endpoint], 1);
  engine.wake();
  const [at] = (await once(arrivals, 'first')) as [number];
  // The attempts that hang end with their connections.
  const closed = engine.close();
  hanging.closeAllConnections();
  await closed;
  return at - started;
}

/** How long the first delivery of a workspace waits while all endpoints of another hang. */
async function otherWorkspaceWait(endpoints: number, path: string): Promise<number> {
  await using world = await createWorld();
  const other = await createWorld(async () => world.storage, world.masterKey);
  const blocked: string[] = [];
  for (let count = 0; count < endpoints; count++) blocked.push(await world.addEndpoint(`${base}${path}`));
  const engine = await world.startEngine();
  warmHang = false;
  if (path === '/warm') {
    await world.enqueue(blocked, 40 * endpoints);
    engine.wake();
    await engine.whenIdle(AbortSignal.timeout(60_000));
  }
  warmHang = true;
  await world.enqueue(blocked, 40 * endpoints);
  engine.wake();
  await new Promise((done) => setTimeout(done, 500));
  return await waitOf(other, engine, `${base}/quick`);
}

const costs: number[] = [];
for (const size of SIZES) {
  await using world = await createWorld();
  const blocked = await world.addEndpoint(`${base}/hang`);
  const other = await world.addEndpoint(`${base}/quick`);
  await fillLane(world, blocked, size);
  const cost = await claimCost(world, blocked, other);
  costs.push(cost);
  console.log(
    `${size} blocked deliveries: a claim takes ${cost.toFixed(0)} µs, ${(cost / (costs[0] ?? cost)).toFixed(2)} times that at ${SIZES[0]}`,
  );
  if (size === SIZES.at(-1)) {
    const waitMs = await firstAttemptWait(world, `${base}/quick`);
    console.log(
      `${size} deliveries due to a receiver that hangs: another endpoint's first attempt waits ${waitMs.toFixed(0)} ms`,
    );
  }
}
for (const [endpoints, path, what] of [
  [200, '/hang', 'new endpoints that hang'],
  [40, '/warm', 'endpoints that answered well and then hang'],
] as const) {
  const waitMs = await otherWorkspaceWait(endpoints, path);
  console.log(`${endpoints} ${what}: another workspace's first attempt waits ${waitMs.toFixed(0)} ms`);
}
hanging.close();
