import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The benchmarks, keyed by file name, in the order in which they run. */
const BENCHMARKS = {
  throughput: [],
  conditions: [],
  peers: [],
  fleet: [],
  sizes: [],
  backlog: [],
  'slow-receivers': [],
  hostile: ['--expose-gc'],
  neighbours: [],
} as const;

const help = `Measures the delivery engine on new databases. All benchmarks together take a while.

  npm run bench -- delivery                        all benchmarks, one after another
  npm run bench -- delivery throughput backlog     only these benchmarks

  throughput   deliveries a second, compared with a loop that only signs and posts: ROUNDS (5), DELIVERIES (40000), ENDPOINTS (64)
  conditions   deliveries a second while events are accepted, with a log line per attempt, with 40,000 endpoints, and
               while a snapshot is open: ROUNDS (3), DELIVERIES (40000)
  peers        deliveries a second, compared with job queues: ROUNDS (5), DELIVERIES (20000), ENDPOINTS (64)
  fleet        deliveries a second of several nodes on one PostgreSQL server, compared with one node: NODES (1,2,4),
               ROUNDS (3), DELIVERIES (20000), ENDPOINTS (64)
  sizes        the cost of a delivery while many ended deliveries are stored: SIZES (1e5,1e6), DATABASES (both; sqlite
               or postgres); --huge adds 1e7, which takes half an hour and 40 GB
  backlog      how long a claim takes, and how long a first attempt waits, while a backlog is blocked:
               SIZES (10000,100000,1000000)
  slow-receivers  deliveries a second to receivers that respond after DELAY_MS (200), compared with the most that the
               slots allow: ROUNDS (3), DELIVERIES (20000), ENDPOINTS (64)
  hostile      the time and memory that receivers cost if they never let an attempt end
  neighbours   what 99 hostile receivers cost other workspaces: KINDS (all), SECONDS (15)

Names in capitals are environment variables. Their defaults are in parentheses.
`;

async function run(name: keyof typeof BENCHMARKS, argv: string[]): Promise<number> {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [...BENCHMARKS[name], file, ...argv], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const isBenchmark = (name: string): name is keyof typeof BENCHMARKS => Object.hasOwn(BENCHMARKS, name);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { huge: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const unknown = positionals.find((name) => !isBenchmark(name));
  if (unknown !== undefined) throw new TypeError(`There is no benchmark "${unknown}"`);
  const chosen = (positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)).filter(isBenchmark);
  for (const name of chosen) {
    const code = await run(name, values.huge && name === 'sizes' ? ['--huge'] : []);
    if (code !== 0) return code;
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`bench delivery: ${error.message}. Try: npm run bench -- delivery --help\n`);
  process.exitCode = 2;
}
