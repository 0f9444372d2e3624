// Compares the rate of complete deliveries (claimed, signed, POSTed, fully logged and stored on disk) with the rate of
// a loop that only signs and posts. Each round uses new processes, because V8 compiles the same code differently in
// each process, and the speed differs by up to 10 %.

import { startReceiver } from '@svc/testing';
import type { Contestant } from './contestant.ts';
import { startBenchPostgres } from './databases.ts';
import type { Measured } from './job.ts';
import { median } from './median.ts';
import { findBestConnections, runWarm } from './run-warm.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 40_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
const load = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };

const engines: { database: string; run: (contestant: Contestant) => Promise<Measured>; ratios: number[] }[] = [
  { database: 'SQLite, on disk', run: (contestant) => contestant.run(load), ratios: [] },
  {
    database: 'PostgreSQL',
    run: (contestant) => postgres.inNew((databaseUrl) => contestant.run({ ...load, databaseUrl })),
    ratios: [],
  },
];

const connections = await findBestConnections(load);

for (let round = 0; round < ROUNDS; round++) {
  const bare = await runWarm('bare-loop.ts', (contestant) => contestant.run({ ...load, connections }));
  for (const { database, run, ratios } of engines) {
    const engine = await runWarm('engine.ts', run);
    ratios.push(engine.rate / bare.rate);
    console.log(
      `${database}, ${ENDPOINTS} endpoints: ${Math.round(engine.rate)}/s against ${Math.round(bare.rate)}/s bare: ${(engine.rate / bare.rate).toFixed(2)}; ` +
        `${engine.cpuMicros.toFixed(0)} µs of processor time against ${bare.cpuMicros.toFixed(0)} µs: ${(bare.cpuMicros / engine.cpuMicros).toFixed(2)}`,
    );
  }
}
for (const { database, ratios } of engines) {
  console.log(`${database}: ${median(ratios).toFixed(2)} of the bare loop in the median round`);
}
receiver.stop();
