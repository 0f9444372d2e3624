import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Bench, benches } from './benches.ts';

const root = join(import.meta.dirname, '..');
const node = (...argv: readonly string[]) =>
  spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit' }).status ?? 1;

/** Returns the exit code. */
function run(bench: Bench, argv: readonly string[]): number {
  const build = ['scripts/ensure-built.ts', ...(bench.needs === 'declarations' ? ['--declarations'] : [])];
  if (bench.needs !== 'clone') {
    const built = node(...build);
    if (built !== 0) return built;
  }
  return node(...bench.argv, ...argv);
}

const [name, ...rest] = process.argv.slice(2);
if (name === undefined) {
  const failed = Object.entries(benches).filter(([, bench]) => !bench.isAside && run(bench, []) !== 0);
  if (failed.length > 0) console.error(`Failed: ${failed.map(([one]) => one).join(', ')}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} else if (name === '--help') {
  const list = (isAside: boolean) =>
    Object.entries(benches)
      .filter(([, bench]) => (bench.isAside ?? false) === isAside)
      .map(([one, { what }]) => `    ${one.padEnd(12)}  ${what}`)
      .join('\n');
  console.log(`Measures speed and memory. Nothing else should run on the machine.

  npm run bench                       these benchmarks, one after another
${list(false)}

  npm run bench -- <name>             one of these benchmarks, or one of the following
${list(true)}

  npm run bench -- <name> --help      what the benchmark measures, and its options`);
} else {
  const bench = benches[name];
  if (bench) process.exitCode = run(bench, rest);
  else {
    console.error(`There is no benchmark "${name}". The benchmarks are: ${Object.keys(benches).join(', ')}.`);
    process.exitCode = 2;
  }
}
