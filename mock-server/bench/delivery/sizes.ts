// Measures what a delivery costs on each database while the tables contain many ended deliveries: first 10^5, and later
// 10^6. The option --huge adds 10^7, which takes half an hour and 40 GB. SIZES=1e4,1e7 sets other sizes, and
// DATABASES=sqlite selects one database.

import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver } from '@svc/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { isPostgres } from '../../src/storage/dialect.ts';
import type { Queries, Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../test/support/open-postgres.ts';
import { startBenchPostgres } from './databases.ts';
import { measure } from './job.ts';
import { createWorld } from './world.ts';

const asked = (name: string, otherwise: string) => (process.env[name] ?? otherwise).split(',');

const SIZES = asked('SIZES', process.argv.includes('--huge') ? '1e5,1e6,1e7' : '1e5,1e6').map(Number);
const DATABASES = asked('DATABASES', 'sqlite,postgres');
const TABLES = ['events', 'deliveries', 'delivery_ends', 'delivery_attempts'];
const DELIVERIES = 10_000;
/**
 * Filling the tables drops database pages from memory. The first round has to read these pages from disk, and later
 * rounds find them in memory.
 */
const ROUNDS = 3;
const ENDPOINTS = 64;
/** How many rows each statement inserts. The engine's connections allow at most 10 s for a statement. */
const STEP = 10_000;

type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * Copies an ended delivery and its rows in the other tables until there are `count` copies. Ids are as long as real
 * ids, so that rows and indexes have realistic sizes.
 */
async function fill(storage: Storage, endpointIds: readonly string[], count: number): Promise<void> {
  const original = (table: string) => sql.table(`original_${table}`);
  // No index of `delivery_ends` or `delivery_attempts` begins with the id, so finding the originals is fast only while
  // the tables are small.
  for (const table of TABLES) {
    const id = sql.ref(table === 'delivery_ends' ? 'delivery_id' : 'id');
    await storage.write((queries) =>
      sql`create table ${original(table)} as select * from ${sql.table(table)} order by ${id} desc limit 1`.execute(
        queries,
      ),
    );
  }
  for (let from = 0; from < count; from += STEP) {
    const to = Math.min(from + STEP, count);
    const numbers = sql`with recursive numbers(n) as (
      select cast(${from + 1} as integer) union all select n + 1 from numbers where n < ${to})`;
    const suffix = sql`('000000000000000' || substr(cast(100000000000 + n as text), 2))`;
    const endpoint = (queries: Queries) => {
      const ids = JSON.stringify(endpointIds);
      return sql`${isPostgres(queries) ? sql`cast(${ids} as json)` : ids} ->> cast(n % ${endpointIds.length} as integer)`;
    };
    await storage.write((queries) =>
      sql`insert into events (id, workspace_id, type, subject_type, subject_id, body, created_at) ${numbers}
        select 'evt_' || ${suffix}, workspace_id, type, subject_type, subject_id, body, n from ${original('events')}, numbers`.execute(
        queries,
      ),
    );
    await storage.write((queries) =>
      sql`insert into delivery_ends (workspace_id, endpoint_id, status, delivery_id, attempt, ended_at, response_status,
          response_time_ms) ${numbers}
        select workspace_id, ${endpoint(queries)}, status, 'whd_' || ${suffix}, attempt, n, response_status,
          response_time_ms from ${original('delivery_ends')}, numbers`.execute(queries),
    );
    await storage.write((queries) =>
      sql`insert into deliveries (id, workspace_id, endpoint_id, event_id, payload_event_id, event_type, created_at)
        ${numbers}
        select 'whd_' || ${suffix}, workspace_id, ${endpoint(queries)}, 'evt_' || ${suffix}, 'evt_' || ${suffix},
          event_type, n from ${original('deliveries')}, numbers`.execute(queries),
    );
    await storage.write((queries) =>
      sql`insert into delivery_attempts (id, delivery_id, number, url, started_at, ended_at, request_headers,
          response_status, response_headers, response_body, response_time_ms, error, late) ${numbers}
        select ${suffix}, 'whd_' || ${suffix}, number, url, n, n, request_headers,
          response_status, response_headers, response_body, response_time_ms, error, late
        from ${original('delivery_attempts')}, numbers`.execute(queries),
    );
  }
  for (const table of TABLES) await storage.write((queries) => sql`drop table ${original(table)}`.execute(queries));
}

/**
 * Turns off vacuum, and makes the database analyze the new rows and write them to disk, so that the rounds do not
 * measure this work. Also analyzes the empty queue, as autovacuum does between two bursts of events. Uses a separate
 * connection, because the engine's connections do not allow such long statements.
 */
async function settlePostgres(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const table of TABLES) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await client.query(`analyze delivery_queue, ${TABLES.join(', ')}`);
  await client.query('checkpoint');
  await client.end();
}

async function settleSqlite(storage: Storage): Promise<void> {
  await storage.read((queries) => sql`pragma wal_checkpoint(truncate)`.execute(queries));
}

/** The disk counts as quiet after this many quick flushes in a row. On a busy disk, a flush takes up to 200 ms. */
const QUICK_FLUSHES = 50;
const QUICK_MS = 20;
const QUIET_WAIT_MAX_MS = 180_000;

/** Waits until the filled tables are on disk. Otherwise, the rounds would also measure these disk writes. */
async function untilDiskIsQuiet(): Promise<void> {
  const path = join(tmpdir(), `svc-flush-${process.pid}`);
  await using file = await open(path, 'w');
  await rm(path);
  const until = performance.now() + QUIET_WAIT_MAX_MS;
  for (let quick = 0; quick < QUICK_FLUSHES; ) {
    const startedAt = performance.now();
    if (startedAt > until) throw new Error('The disk is still busy after three minutes.');
    await file.write('flushed '.repeat(1_024), 0);
    await file.datasync();
    quick = performance.now() - startedAt < QUICK_MS ? quick + 1 : 0;
  }
}

/** Returns how many bytes one delivery takes on disk, including indexes. */
async function bytesPerDelivery(storage: Storage, count: number): Promise<string> {
  return await storage.read(async (queries) => {
    if (!isPostgres(queries)) {
      const { rows } = await sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(queries);
      return `${Math.round((rows[0]?.bytes ?? 0) / count)} B`;
    }
    const { rows } = await sql<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relname in (${sql.join(TABLES)})
      order by relname`.execute(queries);
    const parts = rows.map(({ name, bytes }) => `${name} ${Math.round(bytes / count)}`);
    return `${Math.round(rows.reduce((sum, { bytes }) => sum + bytes, 0) / count)} B (${parts.join(', ')})`;
  });
}

async function measureBeside(size: number, name: string, world: World, settle: () => Promise<void>): Promise<void> {
  const endpoints = await world.addEndpoints(receiver.url, ENDPOINTS);
  const deliver = async () => {
    await using engine = await world.startEngine();
    await engine.whenIdle(AbortSignal.timeout(120_000));
  };
  // Create only one original for all copies, because the original's ids are higher than the ids of the copies. Real
  // deliveries are inserted at the end of the indexes, where PostgreSQL packs pages best. With many originals, the
  // copies would not be inserted there.
  await world.enqueue(endpoints, 1);
  await deliver();
  await fill(world.storage, endpoints, size);
  await settle();
  await untilDiskIsQuiet();
  const bytes = await bytesPerDelivery(world.storage, size);
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await world.enqueue(endpoints, DELIVERIES);
    const { rate, cpuMicros } = await measure(DELIVERIES, deliver);
    rounds.push(`${Math.round(rate)}/s and ${Math.round(cpuMicros)} µs`);
  }
  console.log(
    `${name}, ${size.toExponential()} ended deliveries: ${rounds.join(', ')} of processor time per delivery; ${bytes} on disk per delivery`,
  );
}

const receiver = await startReceiver();
if (DATABASES.includes('sqlite')) {
  for (const size of SIZES) {
    await using world = await createWorld();
    await measureBeside(size, 'SQLite', world, () => settleSqlite(world.storage));
  }
}
if (DATABASES.includes('postgres')) {
  await using postgres = await startBenchPostgres();
  for (const size of SIZES) {
    await postgres.inNew(async (url) => {
      await using world = await createWorld(() => openPostgres(url, 'engine'));
      await measureBeside(size, 'PostgreSQL', world, () => settlePostgres(url));
    });
  }
}
receiver.stop();
