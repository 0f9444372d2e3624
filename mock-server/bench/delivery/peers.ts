// The same deliveries on job queues that many people use. A queue claims and completes the jobs, with the settings that
// its documentation names for speed; an attempt is signed, POSTed and written back into the service's own tables, on
// PostgreSQL, by the engine's own statements in the engine's own batches.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONCURRENCY } from '../../src/delivery/engine.ts';
import { startBenchPostgres } from './databases.ts';
import { createDeliveries, createDeliveryJobs, type DeliveryJob } from './delivery-jobs.ts';
import { installPeers } from './install-peers.ts';
import { bareLoop, type Measured, measure } from './job.ts';
import { startReceiver } from './start-receiver.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const ENDPOINTS = 64;
/** Jobs handed to a queue at a time. */
const CHUNK = 1_000;

const peer = installPeers();
const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
const load = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };

async function engine(url: string): Promise<Measured> {
  await using deliveries = await createDeliveries(() => postgres.open(url), load);
  const measured = await measure(DELIVERIES, async () => {
    await using running = await deliveries.world.startEngine();
    await running.whenIdle(AbortSignal.timeout(120_000));
  });
  await deliveries.checkAll();
  return measured;
}

/** Two loops that fetch, work on and complete half of the slots each: `work` with `burstWhenBatchFull`, without its timers. */
async function pgBoss(url: string): Promise<Measured> {
  await using work = await createDeliveryJobs(() => postgres.open(url), load);
  const { PgBoss } = peer('pg-boss');
  const boss = new PgBoss({ connectionString: url, max: 4, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('deliveries');
  for (let from = 0; from < DELIVERIES; from += CHUNK) {
    const jobs = work.jobs.slice(from, from + CHUNK).map((data) => ({ data }));
    await boss.insert('deliveries', jobs);
  }
  const loop = async () => {
    for (;;) {
      const jobs = await boss.fetch('deliveries', { batchSize: DEFAULT_CONCURRENCY / 2 });
      if (jobs.length === 0) return;
      await Promise.all(jobs.map(({ data }: { data: DeliveryJob }) => work.run(data)));
      const ids = jobs.map(({ id }: { id: string }) => id);
      await boss.complete('deliveries', ids);
      work.completed(jobs.length);
    }
  };
  const measured = await measure(DELIVERIES, () => Promise.all([loop(), loop(), work.all]));
  await boss.stop({ graceful: false });
  await work.checkAll();
  return measured;
}

/** With its local queue and batched completion, which are what its documentation names for speed. */
async function graphileWorker(url: string): Promise<Measured> {
  await using work = await createDeliveryJobs(() => postgres.open(url), load);
  const { run, makeWorkerUtils, Logger } = peer('graphile-worker');
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  for (let from = 0; from < DELIVERIES; from += CHUNK) {
    const jobs = work.jobs.slice(from, from + CHUNK).map((payload) => ({ identifier: 'deliver', payload }));
    await utils.addJobs(jobs);
  }
  await utils.release();
  const measured = await measure(DELIVERIES, async () => {
    const runner = await run({
      connectionString: url,
      logger,
      noHandleSignals: true,
      preset: {
        worker: {
          concurrentJobs: DEFAULT_CONCURRENCY,
          maxPoolSize: 4,
          pollInterval: 1_000,
          localQueue: { size: 2 * DEFAULT_CONCURRENCY },
          completeJobBatchDelay: 5,
          failJobBatchDelay: 5,
        },
      },
      taskList: { deliver: work.run },
    });
    runner.events.on('job:complete', () => work.completed(1));
    await work.all;
    // It has completed every job in the database once it has stopped.
    await runner.stop();
  });
  await work.checkAll();
  return measured;
}

/** On a Redis that writes every command to disk before it answers. */
async function bullMq(url: string): Promise<Measured> {
  await using work = await createDeliveryJobs(() => postgres.open(url), load);
  await using redis = await startRedis();
  const { Queue, Worker } = peer('bullmq');
  const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null };
  const queue = new Queue('deliveries', { connection });
  for (let from = 0; from < DELIVERIES; from += CHUNK) {
    await queue.addBulk(work.jobs.slice(from, from + CHUNK).map((data) => ({ name: 'deliver', data })));
  }
  const measured = await measure(DELIVERIES, async () => {
    const attempt = ({ data }: { data: DeliveryJob }) => work.run(data);
    const worker = new Worker('deliveries', attempt, { connection, concurrency: DEFAULT_CONCURRENCY });
    worker.on('completed', () => work.completed(1));
    await work.all;
    await worker.close();
  });
  await queue.close();
  await work.checkAll();
  return measured;
}

async function startRedis(): Promise<AsyncDisposable & { port: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = spawn('redis-server', [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // It is read to its end: a log that nobody reads any more ends the server at its next line.
  await new Promise<void>((ready) =>
    redis.stdout.on('data', (text) => String(text).includes('Ready to accept') && ready()),
  );
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = once(redis, 'exit');
      redis.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function inNewDatabase(run: (url: string) => Promise<Measured>): Promise<Measured> {
  const url = await postgres.create();
  const measured = await run(url);
  await postgres.drop(url);
  return measured;
}

const peers: [string, (url: string) => Promise<Measured>][] = [
  ['pg-boss, PostgreSQL', pgBoss],
  ['graphile-worker, PostgreSQL', graphileWorker],
];
if (hasRedis()) peers.push(['BullMQ, Redis with appendfsync=always', bullMq]);
else console.log('BullMQ: not run: no redis-server on the PATH');
// What runs first meets code that is not compiled yet: each runs in every round, and the first round is not told.
for (let round = 0; round <= ROUNDS; round++) {
  const bare = await bareLoop(receiver.url, DELIVERIES);
  const own = await inNewDatabase(engine);
  const told = round > 0 ? console.log : () => {};
  const tell = (name: string, { rate, cpuMicros }: Measured, more = '') =>
    told(
      `${name}: ${Math.round(rate)}/s, ${(rate / bare.rate).toFixed(2)} of the bare loop; ${Math.round(cpuMicros)} µs of this process${more}`,
    );
  told(`bare loop: ${Math.round(bare.rate)}/s`);
  tell('this engine, PostgreSQL', own);
  for (const [name, run] of peers) {
    const measured = await inNewDatabase(run);
    tell(name, measured, `; this engine ${(own.rate / measured.rate).toFixed(2)} times as fast`);
  }
}
receiver.stop();
