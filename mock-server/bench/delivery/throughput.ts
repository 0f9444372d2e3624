// Complete deliveries per second (claim, sign, POST, full log, on disk) against a loop that only signs and posts.
import { createLogger } from '../../src/runtime/logger.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { Storage } from '../../src/storage/port.ts';
import { startBenchPostgres } from './databases.ts';
import { bareLoop, type Measured, measure } from './job.ts';
import { startReceiver } from './start-receiver.ts';
import { createWorld } from './world.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
/** `info` writes a line per attempt to standard error, as a server does unless told otherwise. */
const LOG_LEVEL = process.env['LOG_LEVEL'] ?? 'warn';

async function engineLoop(url: string, open?: () => Promise<Storage>): Promise<Measured> {
  await using world = await createWorld(open);
  const endpoints: string[] = [];
  for (let count = 0; count < ENDPOINTS; count++) endpoints.push(await world.addEndpoint(url));
  await world.enqueue(endpoints, DELIVERIES);
  // As a server has it.
  const metrics = createMetrics({ engine: () => Promise.reject(new Error('Nobody reads the metrics here.')) });
  const logger = createLogger(LOG_LEVEL);
  return await measure(DELIVERIES, async () => {
    await using engine = await world.startEngine({ observer: metrics.delivery, logger });
    await engine.whenIdle(AbortSignal.timeout(120_000));
  });
}

const receiver = await startReceiver();
await using postgres = await startBenchPostgres();
await bareLoop(receiver.url, DELIVERIES);
for (let round = 0; round < ROUNDS; round++) {
  const bare = await bareLoop(receiver.url, DELIVERIES);
  const engines = { 'SQLite, synchronous=FULL': undefined, PostgreSQL: postgres.open };
  for (const [database, open] of Object.entries(engines)) {
    const engine = await engineLoop(receiver.url, open);
    console.log(
      `${database}, ${ENDPOINTS} endpoints: ${Math.round(engine.rate)}/s against ${Math.round(bare.rate)}/s bare: ${(engine.rate / bare.rate).toFixed(2)}; ` +
        `${engine.cpuMicros.toFixed(0)} µs of this process against ${bare.cpuMicros.toFixed(0)} µs: ${(bare.cpuMicros / engine.cpuMicros).toFixed(2)}`,
    );
  }
}
receiver.stop();
