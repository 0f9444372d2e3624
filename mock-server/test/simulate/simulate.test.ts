import { expect, test } from 'vitest';
import { openSimulatedDatabase } from '../../simulate/database.ts';
import { runSeed } from '../../simulate/run.ts';
import { onPostgres } from '../support/database.ts';

const SEEDS = 60;

// The simulator has a database of its own.
test.skipIf(onPostgres)(`${SEEDS} new seeds keep every invariant`, { timeout: 300_000 }, async () => {
  const from = Math.floor(Math.random() * 2 ** 31);
  console.log(`again: npm run simulate -- --from ${from} --seeds ${SEEDS}`);
  const database = await openSimulatedDatabase();
  const failures: string[] = [];
  let attempts = 0;
  for (let seed = from; seed < from + SEEDS; seed++) {
    const result = await runSeed(database, { seed });
    attempts += result.attempts;
    if (result.failure !== undefined) failures.push(`npm run simulate -- --seed ${seed}: ${result.failure}`);
  }
  expect(failures).toEqual([]);
  expect(attempts).toBeGreaterThan(SEEDS);
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
