// What a delivery costs on PostgreSQL while the tables hold many that ended: 10^5 and 10^6, and 10^7 with --huge.
import { sql } from 'kysely';
import pg from 'pg';
import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { startBenchPostgres } from './databases.ts';
import { measure } from './job.ts';
import { startReceiver } from './start-receiver.ts';
import { createWorld } from './world.ts';

const SIZES = (process.env['SIZES'] ?? (process.argv.includes('--huge') ? '1e5,1e6,1e7' : '1e5,1e6'))
  .split(',')
  .map(Number);
const TABLES = ['events', 'deliveries', 'delivery_statuses', 'delivery_attempts'];
const DELIVERIES = 10_000;
/** The first round reads what the filling pushed out of memory; the later ones find it there. */
const ROUNDS = 3;
const ENDPOINTS = 64;
/** Rows of one statement: the engine's connections give none longer than 10 s. */
const STEP = 50_000;

/** Copies an ended delivery with its event, its status and its attempt until there are `count`; ids as long as real ones. */
async function fill(storage: Storage, endpointIds: readonly string[], count: number): Promise<void> {
  const endpoints = JSON.stringify(endpointIds);
  for (let from = 0; from < count; from += STEP) {
    const n = sql`generate_series(${from} + 1, ${Math.min(from + STEP, count)}) as n`;
    const suffix = sql`lpad(cast(n as text), 26, '0')`;
    const endpoint = sql`cast(${endpoints} as json) ->> cast(n % ${endpointIds.length} as integer)`;
    await storage.write((queries) =>
      sql`insert into events select 'evt_' || ${suffix}, workspace_id, type, subject_type, subject_id, body, n
        from (select * from events order by id desc limit 1) as event, ${n}`.execute(queries),
    );
    await storage.write((queries) =>
      sql`insert into deliveries select 'whd_' || ${suffix}, workspace_id, ${endpoint}, 'evt_' || ${suffix},
        'evt_' || ${suffix}, event_type, status, attempt, n, n, null, null, response_status, response_time_ms
        from (select * from deliveries order by id desc limit 1) as delivery, ${n}`.execute(queries),
    );
    await storage.write((queries) =>
      sql`insert into delivery_statuses select workspace_id, ${endpoint}, status, 'whd_' || ${suffix}
        from (select * from deliveries order by id desc limit 1) as delivery, ${n}`.execute(queries),
    );
    await storage.write((queries) =>
      sql`insert into delivery_attempts select ${suffix}, 'whd_' || ${suffix}, number, url, n, n, request_headers,
        response_status, response_headers, response_body, response_time_ms, error, late
        from (select * from delivery_attempts order by id desc limit 1) as attempt, ${n}`.execute(queries),
    );
  }
}

/** Has everything counted and written out, and keeps vacuum away, so that what is measured is not the end of the filling. */
async function settle(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const table of TABLES) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await client.query(`analyze ${TABLES.join(', ')}`);
  await client.query('checkpoint');
  await client.end();
}

/** Bytes on disk of what is kept of one delivery, indexes included. */
async function bytesPerDelivery(storage: Storage, count: number): Promise<string> {
  const { rows } = await storage.read((queries) =>
    sql<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relname in (${sql.join(TABLES)})
      order by relname`.execute(queries),
  );
  const parts = rows.map(({ name, bytes }) => `${name} ${Math.round(bytes / count)}`);
  return `${Math.round(rows.reduce((sum, { bytes }) => sum + bytes, 0) / count)} B (${parts.join(', ')})`;
}

const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
async function measureBeside(size: number, url: string): Promise<void> {
  await using world = await createWorld(() => openPostgres(url, 'engine'));
  const { storage } = world;
  const endpoints: string[] = [];
  for (let count = 0; count < ENDPOINTS; count++) endpoints.push(await world.addEndpoint(receiver.url));
  const deliver = async () => {
    await using engine = await world.startEngine();
    await engine.whenIdle(AbortSignal.timeout(120_000));
  };
  await world.enqueue(endpoints, 1_000);
  await deliver();
  await fill(storage, endpoints, size);
  await settle(url);
  const bytes = await bytesPerDelivery(storage, size);
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await world.enqueue(endpoints, DELIVERIES);
    const { rate, cpuMicros } = await measure(DELIVERIES, deliver);
    rounds.push(`${Math.round(rate)}/s and ${Math.round(cpuMicros)} µs`);
  }
  console.log(
    `${size.toExponential()} ended deliveries: ${rounds.join(', ')} of this process each; ${bytes} on disk each`,
  );
}

for (const size of SIZES) await postgres.inNew((url) => measureBeside(size, url));
receiver.stop();
