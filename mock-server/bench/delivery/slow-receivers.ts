// Measures how many deliveries per second the engine makes to receivers that respond after DELAY_MS (200). Divides this
// rate by the highest possible rate, at which all slots are always in use. The rate is lower
// if the engine reads so far ahead that deliveries become stale before they are sent.

import { startReceiver } from '@svc/testing';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { startContestant } from './contestant.ts';
import { startBenchPostgres } from './databases.ts';
import { median } from './median.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const DELAY_MS = Number(process.env['DELAY_MS'] ?? 200);

process.env['DELAY_MS'] = String(DELAY_MS);
const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
const load = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };
const limit = DEFAULT_CONFIG.concurrency / (DELAY_MS / 1_000);

for (const database of ['SQLite', 'PostgreSQL']) {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using contestant = startContestant('engine.ts');
    const { rate, cpuMicros } =
      database === 'SQLite'
        ? await contestant.run(load)
        : await postgres.inNew((databaseUrl) => contestant.run({ ...load, databaseUrl }));
    ratios.push(rate / limit);
    console.log(`${database}: ${Math.round(rate)}/s, ${cpuMicros.toFixed(0)} µs of processor time per delivery`);
  }
  console.log(
    `${database}: ${median(ratios).toFixed(2)} of ${Math.round(limit)}/s, the limit of ${DEFAULT_CONFIG.concurrency} slots, in the median round`,
  );
}
receiver.stop();
