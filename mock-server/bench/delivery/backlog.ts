// Measures how long the engine takes to claim an endpoint's lane while another endpoint (the blocked endpoint) has many
// due deliveries. Also measures how long a new endpoint's first delivery waits while the receiver of the blocked
// endpoint hangs, or while all endpoints of another workspace hang. Runs on SQLite and PostgreSQL. SIZES=1e4,1e5 sets
// the numbers of due deliveries, and DATABASES=sqlite selects one database. Exits with code 1 if the cost of a claim
// grows with the number of due deliveries, or if a wait is too long.

import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { lookAtLanes } from '../../src/delivery/queue/look.ts';
import { releaseAndDisable } from '../../src/delivery/queue/release-lanes.ts';
import { claimLanes } from '../../src/storage/delivery/claim-lanes.ts';
import { beginSession, endSessions } from '../../src/storage/delivery/node-sessions.ts';
import { isPostgres } from '../../src/storage/dialect.ts';
import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../test/support/open-postgres.ts';
import { startBenchPostgres } from './databases.ts';
import { median } from './median.ts';
import { createWorld } from './world.ts';

type World = Awaited<ReturnType<typeof createWorld>>;
/** Calls `run` with a new world, and removes the world afterwards. */
type InNewWorld = <Result>(run: (world: World) => Promise<Result>) => Promise<Result>;

const asked = (name: string, otherwise: string) => (process.env[name] ?? otherwise).split(',');

const SIZES = asked('SIZES', '1e4,1e5,1e6').map(Number);
const DATABASES = asked('DATABASES', 'sqlite,postgres');
const CLAIMS = 400;
/** The number of deliveries to take from the claimed lane. */
const DUE = 16;
/** How many rows each statement inserts. The engine's connections allow at most 10 s for a statement. */
const STEP = 50_000;
const COST_RATIO_MAX = 1.5;
const WAIT_MAX_MS = 1_000;

// A receiver that responds at /quick, responds at /warm until the benchmark sets `warmHang`, and hangs at all other
// paths.
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

/** Fills a lane by copying one delivery, so that a million rows take only seconds. */
async function fillLane(world: World, endpointId: string, count: number) {
  await world.enqueue([endpointId], 1);
  for (let from = 1; from < count; from += STEP) {
    const to = Math.min(from + STEP, count);
    const numbers = sql`with recursive numbers(n) as (
      select cast(${from} as integer) union all select n + 1 from numbers where n + 1 < ${to})`;
    const suffix = sql`('whd_000000000000000' || substr(cast(100000000000 + n as text), 2))`;
    const first = sql`from (select * from deliveries where endpoint_id = ${endpointId} order by id desc limit 1) as one, numbers`;
    await world.storage.write((queries) =>
      sql`insert into delivery_queue (delivery_id, workspace_id, endpoint_id, payload_event_id, retry, due_at, attempt)
        ${numbers} select ${suffix}, workspace_id, endpoint_id, payload_event_id, 0, created_at, 0 ${first}`.execute(
        queries,
      ),
    );
    await world.storage.write((queries) =>
      sql`insert into deliveries (id, workspace_id, endpoint_id, event_id, payload_event_id, event_type, created_at)
        ${numbers} select ${suffix}, workspace_id, endpoint_id, event_id, payload_event_id, event_type, created_at
        ${first}`.execute(queries),
    );
  }
  await settle(world.storage);
}

/**
 * Makes the database write the new rows to disk and, on PostgreSQL, analyze the tables, so that later measurements do
 * not include this work.
 */
async function settle(storage: Storage): Promise<void> {
  await storage.read(async (queries) => {
    if (!isPostgres(queries)) return await sql`pragma wal_checkpoint(truncate)`.execute(queries);
    await sql`analyze deliveries, delivery_queue, delivery_lanes`.execute(queries);
    return await sql`checkpoint`.execute(queries);
  });
}

/**
 * Measures how long the engine takes to claim the lane of the endpoint `other`, to take the due deliveries from this
 * lane, and to release the lane. Meanwhile, another node holds the lane of the endpoint `held`. Returns the median time
 * of each of these three steps, in microseconds.
 */
async function claimCost(world: World, held: string, other: string) {
  const { storage, clock } = world;
  await world.enqueue([other], DUE);
  const [session, otherSession] = ['session', 'other session'];
  await storage.write(async (queries) => {
    for (const id of [session, otherSession]) await beginSession(queries, id);
    await queries.updateTable('delivery_lanes').set({ node: otherSession }).where('endpoint_id', '=', held).execute();
  });
  const now = clock.now();
  const isSkipped = () => false;
  const times = { claims: [] as number[], takes: [] as number[], releases: [] as number[] };
  async function timed<Result>(into: number[], work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const result = await work();
    into.push((performance.now() - started) * 1_000);
    return result;
  }
  for (let count = 0; count < CLAIMS; count++) {
    const claimed = await timed(times.claims, () =>
      storage.write((queries) => claimLanes(queries, { now, session, limit: 64 })),
    );
    const lanes = claimed.map((endpointId) => ({ endpointId, room: DUE, inHand: 0, chosen: 0 }));
    const looks = await timed(times.takes, () =>
      storage.read((queries) => lookAtLanes(queries, lanes, now, isSkipped)),
    );
    if (claimed.length !== 1 || looks.get(other)?.found?.deliveries.length !== DUE)
      throw new Error('The claim did not find the due deliveries.');
    const done = claimed.map((endpointId) => ({ endpointId, session, mayStay: false }));
    await timed(times.releases, () =>
      storage.write((queries) => releaseAndDisable(queries, { done, closed: [], now, isSkipped })),
    );
  }
  await storage.write((queries) => queries.deleteFrom('delivery_queue').where('endpoint_id', '=', other).execute());
  await storage.write((queries) => endSessions(queries));
  const [claims, takes, releases] = [median(times.claims), median(times.takes), median(times.releases)];
  return { claims, takes, releases, all: claims + takes + releases };
}

/** Measures how long a new endpoint's first delivery waits while all open attempts to the blocked endpoint hang. */
async function firstAttemptWait(world: World, quickUrl: string): Promise<number> {
  const engine = await world.startEngine();
  await new Promise((done) => setTimeout(done, 500));
  return await waitOf(world, engine, quickUrl);
}

/** Adds one more endpoint, measures how long its first delivery waits, and then closes the engine. */
async function waitOf(world: World, engine: Awaited<ReturnType<World['startEngine']>>, quickUrl: string) {
  const endpoint = await world.addEndpoint(quickUrl);
  const started = performance.now();
  await world.enqueue([endpoint], 1);
  engine.wake();
  const [at] = (await once(arrivals, 'first')) as [number];
  // Hanging attempts end when their connections close.
  const closed = engine.close();
  hanging.closeAllConnections();
  await closed;
  return at - started;
}

/** Measures how long the first delivery of a workspace waits while all endpoints of another workspace hang. */
async function otherWorkspaceWait(world: World, endpoints: number, path: string): Promise<number> {
  const other = await createWorld(async () => world.storage, world.masterKey);
  const blocked = await world.addEndpoints(`${base}${path}`, endpoints);
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

const problems: string[] = [];

function tellWait(what: string, waitMs: number): void {
  console.log(`${what}: ${waitMs.toFixed(0)} ms`);
  if (waitMs > WAIT_MAX_MS) problems.push(`${what} ${waitMs.toFixed(0)} ms, more than ${WAIT_MAX_MS}`);
}

async function measureOn(name: string, inNewWorld: InNewWorld): Promise<void> {
  const costs: number[] = [];
  for (const size of SIZES) {
    await inNewWorld(async (world) => {
      const blocked = await world.addEndpoint(`${base}/hang`);
      const other = await world.addEndpoint(`${base}/quick`);
      await fillLane(world, blocked, size);
      const cost = await claimCost(world, blocked, other);
      costs.push(cost.all);
      const ratio = cost.all / (costs[0] ?? cost.all);
      console.log(
        `${name}, ${size} blocked deliveries: a claim takes ${cost.claims.toFixed(0)} µs, ` +
          `reading the due deliveries ${cost.takes.toFixed(0)} µs, a release ${cost.releases.toFixed(0)} µs; ` +
          `together ${ratio.toFixed(2)} times as long as with ${SIZES[0]}`,
      );
      if (ratio > COST_RATIO_MAX)
        problems.push(
          `${name}: claims take ${ratio.toFixed(2)} times as long with ${size} blocked deliveries as with ${SIZES[0]}`,
        );
      if (size !== SIZES.at(-1)) return;
      const waitMs = await firstAttemptWait(world, `${base}/quick`);
      tellWait(
        `${name}, ${size} deliveries due to a receiver that hangs: another endpoint's first attempt waits`,
        waitMs,
      );
    });
  }
  for (const [endpoints, path, what] of [
    [200, '/hang', 'new endpoints that hang'],
    [40, '/warm', 'endpoints that responded well at first, but now hang'],
  ] as const) {
    const waitMs = await inNewWorld((world) => otherWorkspaceWait(world, endpoints, path));
    tellWait(`${name}, ${endpoints} ${what}: another workspace's first attempt waits`, waitMs);
  }
}

if (DATABASES.includes('sqlite')) {
  await measureOn('SQLite', async (run) => {
    await using world = await createWorld();
    return await run(world);
  });
}
if (DATABASES.includes('postgres')) {
  await using postgres = await startBenchPostgres();
  await measureOn('PostgreSQL', (run) =>
    postgres.inNew(async (url) => {
      await using world = await createWorld(async () => openPostgres(url, 'engine'));
      return await run(world);
    }),
  );
}
hanging.close();
for (const problem of problems) console.error(`WRONG: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
