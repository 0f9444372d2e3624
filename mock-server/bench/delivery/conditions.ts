// Measures how many deliveries per second the engine completes under harder conditions than in the benchmark
// `throughput`. Divides each rate by the rate of the same round without these conditions. Each run uses a new process.

import { closeSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver } from '@svc/testing';
import pg from 'pg';
import { startContestant } from './contestant.ts';
import { startBenchPostgres } from './databases.ts';
import type { Load } from './delivery-jobs.ts';
import { median } from './median.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 40_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const ENDPOINTS = 64;

interface Condition {
  name: string;
  load?: Partial<Load>;
  /** Whether the engine logs a line per attempt, as a server does by default. The lines go to a file. */
  logs?: boolean;
  /** Whether another session keeps a snapshot of the database, so that vacuum removes nothing. */
  holdsSnapshot?: boolean;
}

const USUAL: Condition = { name: 'all deliveries due before the start' };
const CONDITIONS: Condition[] = [
  { name: 'from accepting the events until all deliveries are stored', load: { accepts: true } },
  { name: 'with a log line per attempt', logs: true },
  { name: `one delivery for each of ${DELIVERIES} endpoints`, load: { endpoints: DELIVERIES } },
  { name: 'while a snapshot is held open', holdsSnapshot: true },
];

const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
const logFile = join(tmpdir(), `svc-bench-${process.pid}.log`);

/** Makes two runs in a new process. Returns the rate of the second run: V8 compiles the code during the first run. */
async function rateUnder({ load, logs, holdsSnapshot }: Condition, database: string): Promise<number> {
  const log = openSync(logFile, 'w');
  try {
    await using contestant = logs
      ? startContestant('engine.ts', {
          env: { ...process.env, LOG_LEVEL: 'info' },
          stdio: ['ignore', 'inherit', log, 'ipc'],
        })
      : startContestant('engine.ts');
    const run = async (databaseUrl?: string) => {
      await using _snapshot = holdsSnapshot && databaseUrl !== undefined ? await holdSnapshot(databaseUrl) : undefined;
      const own = { receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES, ...load };
      return await contestant.run(databaseUrl === undefined ? own : { ...own, databaseUrl });
    };
    const runOnce = () => (database === 'PostgreSQL' ? postgres.inNew(run) : run());
    await runOnce();
    return (await runOnce()).rate;
  } finally {
    closeSync(log);
    rmSync(logFile);
  }
}

async function holdSnapshot(databaseUrl: string): Promise<AsyncDisposable> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select count(*) from pg_class');
  return { [Symbol.asyncDispose]: () => client.end() };
}

for (const database of ['SQLite', 'PostgreSQL']) {
  const conditions = CONDITIONS.filter(({ holdsSnapshot }) => database === 'PostgreSQL' || !holdsSnapshot);
  const ratios = new Map(conditions.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    const usual = await rateUnder(USUAL, database);
    console.log(`${database}, ${USUAL.name}: ${Math.round(usual)}/s`);
    for (const condition of conditions) {
      const rate = await rateUnder(condition, database);
      ratios.get(condition.name)?.push(rate / usual);
      console.log(`${database}, ${condition.name}: ${Math.round(rate)}/s`);
    }
  }
  for (const [name, of] of ratios) {
    console.log(`${database}, ${name}: ${median(of).toFixed(2)} of the usual rate in the median round`);
  }
}
const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const accept = (busyEndpoints: number) =>
    rateUnder({ name: 'accepting events without an engine', load: { accepts: 'only', busyEndpoints } }, 'PostgreSQL');
  const all = await accept(ENDPOINTS);
  const one = await accept(1);
  ratios.push(one / all);
  console.log(
    `PostgreSQL, accepting events without an engine: ${Math.round(all)}/s for ${ENDPOINTS} endpoints, ${Math.round(one)}/s for one`,
  );
}
console.log(
  `PostgreSQL, accepting events without an engine, one endpoint: ${median(ratios).toFixed(2)} of the rate for ${ENDPOINTS}`,
);
receiver.stop();
