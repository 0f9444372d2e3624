// The same job on job queues that many people use: take it, sign, POST, log the attempt, complete it, on disk.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONCURRENCY } from '../../src/delivery/engine.ts';
import { createAttemptLog } from './attempt-log.ts';
import { startBenchPostgres } from './databases.ts';
import { installPeers } from './install-peers.ts';
import { bareLoop, createSender, type Measured, measure } from './job.ts';
import { startReceiver } from './start-receiver.ts';
import { createWorld } from './world.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 10_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const ENDPOINTS = 64;

const peer = installPeers();
const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
const ids = Array.from({ length: DELIVERIES }, (_, index) => `whd_${index}`);

/** What a peer does for each job; `all` resolves when every job was done. */
async function createJob(logUrl: string) {
  const sender = createSender(receiver.url);
  const log = await createAttemptLog(logUrl);
  let left = DELIVERIES;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  return {
    all,
    async run(id: string): Promise<void> {
      await log.add(id, await sender.send(id));
    },
    completed(count: number): void {
      left -= count;
      if (left === 0) resolve();
    },
    async close(): Promise<void> {
      const logged = await log.count();
      await Promise.all([sender.close(), log.close()]);
      if (logged !== DELIVERIES) throw new Error(`${logged} of ${DELIVERIES} were logged.`);
    },
  };
}

async function engine(): Promise<Measured> {
  await using world = await createWorld(postgres.open);
  const endpoints: string[] = [];
  for (let count = 0; count < ENDPOINTS; count++) endpoints.push(await world.addEndpoint(receiver.url));
  await world.enqueue(endpoints, DELIVERIES);
  return await measure(DELIVERIES, async () => {
    await using running = await world.startEngine();
    await running.whenIdle(AbortSignal.timeout(120_000));
  });
}

/** Two loops that fetch, work on and complete half of the slots each: faster than `work`, which waits between polls. */
async function pgBoss(): Promise<Measured> {
  const PgBoss = peer('pg-boss');
  const url = await postgres.create();
  const boss = new PgBoss({ connectionString: url, max: 4, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('deliveries');
  for (let from = 0; from < ids.length; from += 1_000) {
    const jobs = ids.slice(from, from + 1_000).map((id) => ({ data: { id } }));
    await boss.insert('deliveries', jobs);
  }
  const job = await createJob(url);
  const loop = async () => {
    for (;;) {
      const jobs = await boss.fetch('deliveries', { batchSize: DEFAULT_CONCURRENCY / 2 });
      if (jobs.length === 0) return;
      await Promise.all(jobs.map(({ data }: { data: { id: string } }) => job.run(data.id)));
      await boss.complete(
        'deliveries',
        jobs.map(({ id }: { id: string }) => id),
      );
      job.completed(jobs.length);
    }
  };
  const measured = await measure(DELIVERIES, () => Promise.all([loop(), loop(), job.all]));
  await boss.stop({ graceful: false, wait: true });
  await job.close();
  return measured;
}

/** With its local queue and batched completion, which are what its documentation names for speed. */
async function graphileWorker(): Promise<Measured> {
  const { run, makeWorkerUtils, Logger } = peer('graphile-worker');
  const url = await postgres.create();
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  for (let from = 0; from < ids.length; from += 1_000) {
    await utils.addJobs(ids.slice(from, from + 1_000).map((id) => ({ identifier: 'deliver', payload: { id } })));
  }
  await utils.release();
  const job = await createJob(url);
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
      taskList: { deliver: ({ id }: { id: string }) => job.run(id) },
    });
    runner.events.on('job:complete', () => job.completed(1));
    await job.all;
    // It has completed every job in the database once it has stopped.
    await runner.stop();
  });
  await job.close();
  return measured;
}

/** On a Redis that writes every command to disk before it answers. */
async function bullMq(): Promise<Measured> {
  const { Queue, Worker } = peer('bullmq');
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
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('deliveries', { connection });
  for (let from = 0; from < ids.length; from += 1_000) {
    await queue.addBulk(ids.slice(from, from + 1_000).map((id) => ({ name: 'deliver', data: { id } })));
  }
  const job = await createJob(await postgres.create());
  const measured = await measure(DELIVERIES, async () => {
    const work = ({ data }: { data: { id: string } }) => job.run(data.id);
    const worker = new Worker('deliveries', work, { connection, concurrency: DEFAULT_CONCURRENCY });
    worker.on('completed', () => job.completed(1));
    await job.all;
    await worker.close();
  });
  await job.close();
  await queue.close();
  const ended = once(redis, 'exit');
  redis.kill();
  await ended;
  await rm(folder, { recursive: true });
  return measured;
}

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const contestants: [string, () => Promise<Measured>][] = [
  ['this engine, PostgreSQL', engine],
  ['pg-boss, PostgreSQL', pgBoss],
  ['graphile-worker, PostgreSQL', graphileWorker],
];
if (hasRedis()) contestants.push(['BullMQ, Redis with appendfsync=always', bullMq]);
if (!hasRedis()) console.log('BullMQ: not run: no redis-server on the PATH');
// What runs first meets code that is not compiled yet: each runs in every round, and the first round is not told.
for (let round = 0; round <= ROUNDS; round++) {
  const bare = await bareLoop(receiver.url, DELIVERIES);
  if (round > 0) console.log(`bare loop: ${Math.round(bare.rate)}/s`);
  for (const [name, run] of contestants) {
    const { rate, cpuMicros } = await run();
    if (round === 0) continue;
    console.log(
      `${name}: ${Math.round(rate)}/s, ${(rate / bare.rate).toFixed(2)} of the bare loop; ${Math.round(cpuMicros)} µs of this process`,
    );
  }
}
receiver.stop();
