// Complete deliveries per second (claim, sign, POST, full log, on disk) against a loop that only signs and posts.
import { startContestant } from './contestant.ts';
import { startBenchPostgres } from './databases.ts';
import type { Measured } from './job.ts';
import { median } from './median.ts';
import { startReceiver } from './start-receiver.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 40_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);

const receiver = await startReceiver();
await using bareLoop = startContestant('bare-loop.ts');
await using onSqlite = startContestant('engine.ts');
await using onPostgres = startContestant('engine.ts');
await using postgres = await startBenchPostgres();
const load = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };

const engines: { database: string; run: () => Promise<Measured>; ratios: number[] }[] = [
  { database: 'SQLite, synchronous=FULL', run: () => onSqlite.run(load), ratios: [] },
  {
    database: 'PostgreSQL',
    run: () => postgres.inNew((databaseUrl) => onPostgres.run({ ...load, databaseUrl })),
    ratios: [],
  },
];
// In the first round all meet code that is not compiled yet: it is not told.
for (let round = 0; round <= ROUNDS; round++) {
  const bare = await bareLoop.run(load);
  for (const { database, run, ratios } of engines) {
    const engine = await run();
    if (round === 0) continue;
    ratios.push(engine.rate / bare.rate);
    console.log(
      `${database}, ${ENDPOINTS} endpoints: ${Math.round(engine.rate)}/s against ${Math.round(bare.rate)}/s bare: ${(engine.rate / bare.rate).toFixed(2)}; ` +
        `${engine.cpuMicros.toFixed(0)} µs of its process against ${bare.cpuMicros.toFixed(0)} µs: ${(bare.cpuMicros / engine.cpuMicros).toFixed(2)}`,
    );
  }
}
for (const { database, ratios } of engines) {
  console.log(`${database}: ${median(ratios).toFixed(2)} of the bare loop in the median round`);
}
receiver.stop();
