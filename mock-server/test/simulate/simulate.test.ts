import { expect, test } from 'vitest';
import { openSimulatedDatabase } from '../../simulate/database.ts';
import { runSeed } from '../../simulate/run.ts';
import { onPostgres } from '../support/database.ts';

/**
 * How long to run new seeds. Each machine runs as many seeds as it can in this time, so the test takes equally long on
 * every machine. The speed of a machine never decides whether a seed passes. `npm run test:quick` sets a shorter time.
 */
const BUDGET_MS = Number(process.env['SVC_SIMULATE_MS'] ?? 20_000);

/** A slow machine runs at least this many seeds. */
const SEEDS_MIN = 50;

// The simulator always uses its own database, so skip this test on PostgreSQL.
test.skipIf(onPostgres)('new seeds keep every invariant', async () => {
  const from = Math.floor(Math.random() * 2 ** 31);
  console.log(`new seeds from ${from}`);
  const database = await openSimulatedDatabase();
  const failures: string[] = [];
  let seeds = 0;
  let attempts = 0;
  const endsAt = performance.now() + BUDGET_MS;
  while (seeds < SEEDS_MIN || performance.now() < endsAt) {
    const seed = from + seeds++;
    const result = await runSeed(database, { seed });
    attempts += result.attempts;
    if (result.failure !== undefined) failures.push(`npm run simulate -- --seed ${seed}: ${result.failure}`);
  }
  console.log(`${seeds} seeds; again: npm run simulate -- --from ${from} --seeds ${seeds}`);
  expect(failures).toEqual([]);
  expect(attempts).toBeGreaterThan(seeds);
});

test.skipIf(onPostgres)('the same seed gives the same run', async () => {
  const database = await openSimulatedDatabase();
  const traceOf = async () => {
    const lines: string[] = [];
    await runSeed(database, { seed: 4, trace: (line) => lines.push(line) });
    return lines;
  };
  const first = await traceOf();
  expect(first.length).toBeGreaterThan(50);
  expect(await traceOf()).toEqual(first);
});
