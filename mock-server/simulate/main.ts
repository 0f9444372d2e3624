// Runs the delivery engine against simulated time, databases and networks. Start the simulator with `npm run simulate`.
import { parseArgs } from 'node:util';
import { startProgress } from '../src/cli/output/progress.ts';
import { INVARIANTS } from './checks.ts';
import { openSimulatedDatabase } from './database.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { minimise } from './minimise.ts';
import { runSeed } from './run.ts';

const HELP = `Usage: npm run simulate -- [options]

Runs the delivery engine on one to three simulated nodes. A seed decides everything that happens.

  --seeds <number>   how many seeds to run (default: 1000)
  --from <seed>      the first seed (default: random)
  --seed <seed>      run one seed and print what happens in it
  --faults <list>    the faults that may happen, separated by commas (default: each seed chooses about half of them)
  --stop             stop at the first seed that fails
  --help             print this text

Faults: ${FAULTS.join(', ')}.`;

const FAILURES_MAX = 10;

const values = readOptions();

function readOptions() {
  try {
    return parseArgs({
      options: {
        seeds: { type: 'string', default: '1000' },
        from: { type: 'string' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        stop: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return reject((error as Error).message);
  }
}

/** Exit code 1 means that a seed failed. */
function reject(message: string): never {
  console.error(`${message}\nSee: npm run simulate -- --help`);
  process.exit(2);
}

function numberOf(option: 'seeds' | 'from' | 'seed', min: number): number | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) >= min) return Number(text);
  return reject(`--${option} must be an integer of at least ${min}, not "${text}".`);
}

function chosenFaults(): { faults?: FaultKind[] } {
  if (values.faults === undefined) return {};
  const names = values.faults
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !(FAULTS as readonly string[]).includes(name));
  if (unknown === undefined) return { faults: names as FaultKind[] };
  return reject(`There is no fault "${unknown}".`);
}

async function runOne(seed: number): Promise<boolean> {
  const { failure } = await runSeed(await openSimulatedDatabase(), { seed, trace: console.log, ...chosenFaults() });
  return failure === undefined;
}

async function runMany(from: number, seeds: number): Promise<boolean> {
  const database = await openSimulatedDatabase();
  const chosen = chosenFaults();
  console.log(`Invariants:\n${INVARIANTS.map((invariant) => `- ${invariant}`).join('\n')}`);
  console.log(`Seeds from ${from}:`);
  const startedAt = performance.now();
  let attempts = 0;
  let failed = 0;
  let done = 0;
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  using progress = await startProgress({ interactive: process.stderr.isTTY }, 'Seeds', seeds);
  while (done < seeds && failed < (values.stop ? 1 : FAILURES_MAX) && !isInterrupted) {
    progress.update(done, `${done} of ${seeds}, ${failed} failed`);
    const seed = from + done++;
    const result = await runSeed(database, { seed, ...chosen });
    attempts += result.attempts;
    if (result.failure === undefined) continue;
    failed++;
    const needed = await minimise(database, seed, result.faults);
    console.log(
      `seed ${seed}: ${result.failure}\n  again: npm run simulate -- --seed ${seed} --faults '${needed.join(',')}'`,
    );
  }
  const seconds = (performance.now() - startedAt) / 1000;
  progress[Symbol.dispose]();
  console.log(`${(done / seconds).toFixed(1)} seeds/s, ${(attempts / done).toFixed(0)} attempts per seed`);
  if (done < seeds) console.log(`stopped early: ${seeds - done} seeds did not run`);
  console.log(`${done} seeds, ${failed} failed`);
  return failed === 0 && done === seeds;
}

if (values.help) console.log(HELP);
else {
  const seed = numberOf('seed', 0);
  const from = numberOf('from', 0) ?? Math.floor(Math.random() * 2 ** 31);
  const succeeded = seed === undefined ? await runMany(from, numberOf('seeds', 1) ?? 1_000) : await runOne(seed);
  process.exitCode = succeeded ? 0 : 1;
}
