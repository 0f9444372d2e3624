// Makes the same deliveries with the engine and with popular job queues. Each queue claims and completes the jobs, and
// uses the settings that its documentation recommends for speed. As in the engine, each attempt is signed and POSTed,
// and the results are written to the service's PostgreSQL tables in batches.
import { execFileSync } from 'node:child_process';
import { startReceiver } from '@svc/testing';
import { startBenchPostgres } from './databases.ts';
import { installPeers } from './install-peers.ts';
import type { Measured } from './job.ts';
import { median } from './median.ts';
import { findBestConnections, runWarm } from './run-warm.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

installPeers();
const files = {
  'this engine, PostgreSQL': 'engine.ts',
  'pg-boss, PostgreSQL': 'pg-boss.ts',
  'graphile-worker, PostgreSQL': 'graphile-worker.ts',
  ...(hasRedis() && { 'BullMQ, Redis with appendfsync=always': 'bullmq.ts' }),
};
if (!hasRedis()) console.log('BullMQ: not run: no redis-server on the PATH');

const receiver = await startReceiver();
const contestants = Object.entries(files).map(([name, file]) => ({
  name,
  file,
  toBare: [] as number[],
  ownToIt: [] as number[],
}));
await using postgres = await startBenchPostgres();
const load = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };
const connections = await findBestConnections(load);

for (let round = 0; round < ROUNDS; round++) {
  const bare = await runWarm('bare-loop.ts', (contestant) => contestant.run({ ...load, connections }));
  console.log(`bare loop: ${Math.round(bare.rate)}/s`);
  let own: Measured | undefined;
  for (const { name, file, toBare, ownToIt } of contestants) {
    const measured = await runWarm(file, (contestant) =>
      postgres.inNew((databaseUrl) => contestant.run({ ...load, databaseUrl })),
    );
    own ??= measured;
    toBare.push(measured.rate / bare.rate);
    ownToIt.push(own.rate / measured.rate);
    console.log(
      `${name}: ${Math.round(measured.rate)}/s, ${(measured.rate / bare.rate).toFixed(2)} of the bare loop; ${Math.round(measured.cpuMicros)} µs of processor time in its process` +
        (measured === own ? '' : `; this engine is ${(own.rate / measured.rate).toFixed(2)} times as fast`),
    );
  }
}
for (const [index, { name, toBare, ownToIt }] of contestants.entries()) {
  console.log(
    `${name}: ${median(toBare).toFixed(2)} of the bare loop in the median round` +
      (index === 0 ? '' : `; this engine is ${median(ownToIt).toFixed(2)} times as fast`),
  );
}
receiver.stop();
