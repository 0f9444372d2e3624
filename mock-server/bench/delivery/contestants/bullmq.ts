// BullMQ, with a Redis server that writes every command to disk before it responds.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { compete } from '../contestant.ts';
import { createDeliveryJobs, type DeliveryJob, inChunks } from '../delivery-jobs.ts';
import { installPeers } from '../install-peers.ts';
import { measure } from '../job.ts';

const { Queue, Worker } = installPeers()('bullmq');

async function startRedis(): Promise<AsyncDisposable & { port: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = spawn('redis-server', [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const endNow = () => redis.kill();
  process.once('exit', endNow);
  // Read the log to its end. Otherwise, Redis would wait forever when the pipe for the log is full.
  await new Promise<void>((ready, fail) => {
    redis.stdout.on('data', (text) => String(text).includes('Ready to accept') && ready());
    redis.once('exit', (code) => fail(new Error(`redis-server ended at startup, with the exit code ${code}`)));
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      process.off('exit', endNow);
      const ended = once(redis, 'exit');
      redis.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

compete(async (load) => {
  await using work = await createDeliveryJobs(load);
  await using redis = await startRedis();
  const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null };
  const queue = new Queue('deliveries', { connection });
  for (const jobs of inChunks(work.jobs)) await queue.addBulk(jobs.map((data) => ({ name: 'deliver', data })));
  const measured = await measure(load.deliveries, async () => {
    const attempt = ({ data }: { data: DeliveryJob }) => work.run(data);
    const worker = new Worker('deliveries', attempt, { connection, concurrency: DEFAULT_CONFIG.concurrency });
    worker.on('completed', () => work.completed(1));
    await work.all;
    await worker.close();
  });
  await queue.close();
  await work.checkAll();
  return measured;
});
